/// The status of a device's sink in the desktop's sound server, in the form that crosses the bus.
package struct SoundSinkStatus: Codable, Sendable, Hashable, Identifiable {
    package enum State: String, Codable, Sendable {
        /// The sink is visible, and nothing plays to it.
        case ready
        /// Something plays to it, and the device is starting.
        case starting
        case playing
        /// The device isn't available. The sink returns with it.
        case away
        /// No sound server is running. The sink appears as soon as one does.
        case noServer = "no-server"
    }

    /// The identifier of the device, or of the sink itself for a group.
    package var id: String
    package var name: String
    package var state: State
    /// The sound server: `PipeWire` or `PulseAudio`; empty for none.
    package var server: String
    /// The time in seconds from playing a sample to the sink until it is heard, as it was last measured; `nil` before
    /// the device has played.
    package var delay: Double?
    /// The latency that a person asked for, in seconds; `nil` for the device's usual one.
    package var requestedLatency: Double?
    /// The identifiers of the devices of a group; `nil` for one device.
    package var members: [String]?
    /// `true` for a sink that was added because new devices get one; `nil` for one that a person added.
    package var isAutomatic: Bool?
    /// The reason why the last playback failed; `nil` if it didn't.
    package var error: HostError?

    package init(
        id: String, name: String, state: State, server: String, delay: Double? = nil, requestedLatency: Double? = nil,
        members: [String]? = nil, isAutomatic: Bool? = nil, error: HostError? = nil
    ) {
        self.members = members
        self.isAutomatic = isAutomatic
        self.requestedLatency = requestedLatency
        self.id = id
        self.name = name
        self.state = state
        self.server = server
        self.delay = delay
        self.error = error
    }
}
