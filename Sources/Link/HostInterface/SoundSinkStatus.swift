/// A device's sink in the desktop's sound server, as it crosses the bus.
package struct SoundSinkStatus: Codable, Sendable, Hashable, Identifiable {
    package enum State: String, Codable, Sendable {
        /// Shown, and nothing is played to it.
        case ready
        /// Something is played to it, and the device is being asked to play that.
        case starting
        case playing
        /// Its device is not there: the sink comes back with it.
        case away
        /// No sound server answers: the sink appears as soon as one does.
        case noServer = "no-server"
    }

    /// The device's.
    package var id: String
    package var name: String
    package var state: State
    /// What shows it: `PipeWire`, `PulseAudio`; empty without any.
    package var server: String
    /// Why nothing was heard the last time; `nil` where it was.
    package var error: HostError?

    package init(id: String, name: String, state: State, server: String, error: HostError? = nil) {
        self.id = id
        self.name = name
        self.state = state
        self.server = server
        self.error = error
    }
}
