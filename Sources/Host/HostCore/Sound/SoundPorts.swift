import HostInterface

/// A sink as the sound server is to show it.
package struct ShownSink: Sendable, Hashable, Identifiable {
    /// The device's.
    package let id: String
    package var name: String
    /// Whether the device has a level that can be set: the sink's is the same then.
    package var hasLevel: Bool
    package var canMute: Bool
    /// `0.0...1.0`; `nil` until the device told.
    package var level: Double?
    package var isMuted: Bool

    package init(id: String, name: String, hasLevel: Bool, canMute: Bool, level: Double?, isMuted: Bool) {
        self.id = id
        self.name = name
        self.hasLevel = hasLevel
        self.canMute = canMute
        self.level = level
        self.isMuted = isMuted
    }
}

/// What happens in the sound server.
package enum SoundServerEvent: Sendable, Hashable {
    /// Something is to be heard on the sink; who plays waits until it is opened or shut.
    case sound(id: String)
    /// It has been silent for a while, and its samples ended.
    case quiet(id: String)
    /// Nobody took its samples any more, so that they are dropped until something else is played.
    case cut(id: String)
    /// A person moved the sink's level: `0.0...1.0`.
    case level(Double, id: String)
    case muted(Bool, id: String)
}

/// The desktop's sound server, whichever there is, whenever it is there.
package protocol SoundServerPort: Sendable {
    /// One consumer.
    var events: AsyncStream<SoundServerEvent> { get }
    /// What people call the server that shows sinks; `nil` while none answers.
    var serverName: String? { get async }
    /// Returns when a server answers.
    ///
    /// - Throws: ``HostError`` `no-sound-server`.
    func connect() async throws(HostError)
    /// Shows a sink, or changes it; from now on, in any server that comes.
    func show(_ sink: ShownSink) async
    func hide(_ id: String) async
    /// What is played to the sink, from the first sound of it, as a stream that ends when it was silent for a while.
    ///
    /// - Throws: ``HostError`` where there is no such sink any more.
    func open(_ id: String) async throws(HostError) -> OpenStream
    /// Drops what is played to the sink, until something else is.
    func shut(_ id: String) async
    /// Removes every sink.
    func close() async
}

/// A device whose sink a person wants.
package struct SoundSinkRecord: Sendable, Hashable, Codable, Identifiable {
    /// The device's.
    package var id: String
    /// What it was called the last time.
    package var name: String

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

package protocol SoundSinkStore: Sendable {
    /// In the order they were added.
    func soundSinks() async throws -> [SoundSinkRecord]
    /// Inserts or replaces by identifier; durable when it returns.
    func keep(_ sink: SoundSinkRecord) async throws
    func dropSoundSink(id: String) async throws
}

/// What a surface lets people do about sinks.
package protocol SoundSinkControl: Sendable {
    /// - Throws: ``HostError`` `no-such-device`, `not-supported`, `no-sound-server`, `storage-failed`.
    func add(_ device: String) async throws(HostError) -> SoundSinkStatus
    /// - Throws: ``HostError`` `no-such-sink`, `storage-failed`.
    func remove(_ device: String) async throws(HostError)
    var statuses: [SoundSinkStatus] { get async }
    /// Whether there are none.
    var isEmpty: Bool { get async }
    /// The host tells what it changed.
    func hostChanged(_ change: HostChange)
}
