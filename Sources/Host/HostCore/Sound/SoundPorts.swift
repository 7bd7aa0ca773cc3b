package import HostInterface

/// A sink as the sound server is to show it.
package struct ShownSink: Sendable, Hashable, Identifiable {
    /// The device's, or one of an app's route.
    package let id: String
    package var name: String
    /// A Boolean value that indicates whether the volume can be set. The sink then has the same one.
    package var hasLevel: Bool
    package var canMute: Bool
    /// The volume, `0.0...1.0`; `nil` until the device reports it.
    package var level: Double?
    package var isMuted: Bool
    /// The time in seconds from playing a sample to the sink until it is heard; `nil` until it is measured.
    package var delay: Double?

    package init(
        id: String, name: String, hasLevel: Bool, canMute: Bool, level: Double?, isMuted: Bool, delay: Double? = nil
    ) {
        self.id = id
        self.name = name
        self.hasLevel = hasLevel
        self.canMute = canMute
        self.level = level
        self.isMuted = isMuted
        self.delay = delay
    }
}

/// An event of the sound server.
package enum SoundServerEvent: Sendable, Hashable {
    /// A program plays to the sink, and waits until the sink is opened or shut.
    case sound(id: String)
    /// The sink was silent for a while, and its samples ended.
    case quiet(id: String)
    /// The sink's samples were no longer read, and are dropped until a program plays again.
    case cut(id: String)
    /// A person moved the sink's level: `0.0...1.0`.
    case level(Double, id: String)
    case muted(Bool, id: String)
}

/// The desktop's sound server, whichever there is, whenever it is there.
package protocol SoundServerPort: Sendable {
    /// One consumer.
    var events: AsyncStream<SoundServerEvent> { get }
    /// The name of the sound server for people; `nil` if none is running.
    var serverName: String? { get async }
    /// Returns when a server answers.
    ///
    /// - Throws: ``HostError`` `no-sound-server`.
    func connect() async throws(HostError)
    /// Returns the server's internal name of a sink.
    func outputName(of id: String) -> String
    /// Closes the connection if no sink is shown.
    func rest() async
    /// Shows a sink, or changes it; from now on, in any server that comes.
    func show(_ sink: ShownSink) async
    func hide(_ id: String) async
    /// Returns the samples of a sink from their first sound, as a stream that ends after a silence.
    ///
    /// - Parameter latency: The latency to ask the device for.
    /// - Throws: ``HostError`` if the sink doesn't exist.
    func open(_ id: String, latency: RequestedLatency?) async throws(HostError) -> OpenStream
    /// Returns how far the samples of a sink have been handed in; `nil` while nobody reads them.
    func handedIn(_ id: String) async -> HandedSamples?
    /// Drops the samples of a sink, until a program plays again.
    func shut(_ id: String) async
    /// Removes every sink.
    func close() async
}

/// A sink that is kept over restarts.
package struct SoundSinkRecord: Sendable, Hashable, Codable, Identifiable {
    /// The device's, or one of its own for a group.
    package var id: String
    /// The last name.
    package var name: String
    /// The identifiers of the devices of a group; empty for one device.
    package var members: [String]
    /// A Boolean value that indicates whether a person named the group; otherwise its name is that of its devices.
    package var hasOwnName: Bool
    /// The latency that a person asked for, in seconds; `nil` for the device's usual one.
    package var latency: Double?
    /// The delay of the last playback, in seconds; `nil` before the first.
    package var delay: Double?
    /// A Boolean value that indicates whether nobody asked for the sink: new devices get one.
    package var isAutomatic: Bool

    package init(
        id: String, name: String, members: [String] = [], hasOwnName: Bool = false, latency: Double? = nil,
        delay: Double? = nil, isAutomatic: Bool = false
    ) {
        self.id = id
        self.name = name
        self.members = members
        self.hasOwnName = hasOwnName
        self.latency = latency
        self.delay = delay
        self.isAutomatic = isAutomatic
    }

    /// Keeps a latency that a person asked for, if any.
    mutating func ask(_ latency: RequestedLatency?) {
        guard let latency, latency.seconds != self.latency else { return }
        self.latency = latency.seconds
        delay = nil
    }
}

package protocol SoundSinkStore: Sendable {
    /// Returns the sinks, in the order of their addition.
    func soundSinks() async throws -> [SoundSinkRecord]
    /// Inserts or replaces by identifier; durable when it returns.
    func keep(_ sink: SoundSinkRecord) async throws
    func dropSoundSink(id: String) async throws
    /// Returns whether new devices get sinks; off by default.
    func sinkFollowing() async throws -> SinkFollowing
    /// Durable when it returns.
    func keep(_ following: SinkFollowing) async throws
}

/// The operations on sinks for surfaces.
package protocol SoundSinkControl: Sendable {
    /// Adds a sink, or changes the latency of an existing one for its next playback.
    ///
    /// - Parameter latency: The latency to ask the device for; `nil` for the usual one, or the one chosen before.
    /// - Throws: ``HostError`` `no-such-device`, `not-supported`, `no-sound-server`, `storage-failed`.
    func add(_ device: String, latency: RequestedLatency?) async throws(HostError) -> SoundSinkStatus
    /// Adds a sink for several devices that play together, or changes the one with the same devices or the same name.
    ///
    /// - Parameters:
    ///   - devices: At least two and at most 16 different devices.
    ///   - name: The name of the sink; `nil` for the names of the devices.
    /// - Throws: ``HostError`` as ``add(_:latency:)``, and `cannot-group`, `invalid-argument`.
    func addGroup(
        _ devices: [String], name: String?, latency: RequestedLatency?
    ) async throws(HostError) -> SoundSinkStatus
    /// - Throws: ``HostError`` `no-such-sink`, `storage-failed`.
    func remove(_ device: String) async throws(HostError)
    var statuses: [SoundSinkStatus] { get async }
    /// A Boolean value that indicates whether there are no sinks, and new devices get none.
    var isEmpty: Bool { get async }
    /// A Boolean value that indicates whether new devices get sinks.
    var isFollowing: Bool { get async }
    /// Sets whether every device that is found gets a sink, now and later.
    ///
    /// - Throws: ``HostError`` `no-sound-server`, `storage-failed`.
    func setFollowing(_ isOn: Bool) async throws(HostError)
    /// Processes a change of the host.
    func hostChanged(_ change: HostChange)
}
