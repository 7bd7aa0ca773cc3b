import MediaDevice

/// The pauses between the attempts to restore a connection. They grow until a restored one has lasted.
@MainActor
final class Reconnection {
    private struct Outage {
        var schedule: ReconnectPolicy.Schedule
        /// Returns the time since the loss.
        let elapsed: () -> Duration
    }

    private let policy: ReconnectPolicy
    private let clock: any Clock<Duration>
    /// The current loss of the connection, until a restored one has lasted.
    private var outage: Outage?
    /// Returns the age of the connection, once playback continues on it.
    private var age: (() -> Duration)?
    private var current: Task<Void, Never>?

    init(_ policy: ReconnectPolicy, _ clock: any Clock<Duration>) {
        self.policy = policy
        self.clock = clock
        age = clock.stopwatch()
    }

    /// The connection is there, and playback continues on it.
    func established() { age = clock.stopwatch() }

    func lost() {
        if let age, age() >= policy.longestPause { outage = nil }
        age = nil
        if outage == nil { outage = Outage(schedule: ReconnectPolicy.Schedule(policy), elapsed: clock.stopwatch()) }
    }

    /// Waits for the next attempt.
    ///
    /// - Returns: `false` if there have been enough.
    func pause() async -> Bool {
        guard var outage, let delay = outage.schedule.next(elapsed: outage.elapsed()) else { return false }
        self.outage = outage
        let pause = Task { [clock] in _ = try? await clock.sleep(for: delay) }
        current = pause
        await pause.value
        return true
    }

    /// Ends a pause, because the device may be there now, or isn't needed any longer.
    func tryNow() { current?.cancel() }
}

extension Clock where Duration == Swift.Duration {
    /// Returns a function that returns the time since this call.
    func stopwatch() -> () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}

extension MediaDeviceError {
    static var notConnected: MediaDeviceError {
        MediaDeviceError(.connectionFailed, reason: "The connection to the device is lost.")
    }
}

extension PlayerOpeningError {
    var asDeviceError: MediaDeviceError {
        switch self {
        case .failed(let error): error
        case .secretRequired(let request): MediaDeviceError(.authorizationFailed, reason: request.reason)
        case .secretRejected(let reason, _): MediaDeviceError(.authorizationFailed, reason: reason)
        }
    }
}
