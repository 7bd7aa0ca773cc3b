/// The state that decides whether written samples are playing now.
struct PulsePlaying: Sendable, Hashable {
    var isPaused: Bool
    /// The server began with it.
    var hasStarted = false
    /// The server waits for more.
    var isDry = false
    /// The output sleeps: its device cannot be reached for the time being.
    var isSuspended = false

    init(isPaused: Bool) { self.isPaused = isPaused }

    var isRunning: Bool { hasStarted && !isPaused && !isDry && !isSuspended }
}
