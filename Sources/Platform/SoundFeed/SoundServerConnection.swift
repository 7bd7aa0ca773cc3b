/// A sink as a sound server shows it.
package struct ServedSink: Sendable, Hashable, Identifiable {
    package let id: String
    /// What people see.
    package var name: String
    /// Whether the sink's level is the device's: what is played is then left as it is.
    package var hasLevel: Bool
    /// Whether the same is so for being muted.
    package var canMute: Bool
    /// `0.0...1.0`, as people see it; `nil` where nobody knows it yet.
    package var level: Double?
    package var isMuted: Bool

    package init(
        id: String, name: String, hasLevel: Bool = false, canMute: Bool = false, level: Double? = nil,
        isMuted: Bool = false
    ) {
        self.id = id
        self.name = name
        self.hasLevel = hasLevel
        self.canMute = canMute
        self.level = level
        self.isMuted = isMuted
    }
}

/// What happens to a sink.
package enum ServedSinkEvent: Sendable, Hashable {
    case feed(SoundFeed.Event, id: String)
    /// Somebody moved it: `0.0...1.0`.
    case level(Double, id: String)
    case muted(Bool, id: String)
}

/// A connection to a sound server, with the sinks that are shown in it for as long as it lasts.
package protocol SoundServerConnection: Sendable {
    /// What people call the server.
    var serverName: String { get }
    /// Ends when the server went away, or the connection was closed; one consumer.
    var events: AsyncStream<ServedSinkEvent> { get }
    /// Shows a sink, or changes one that is shown.
    ///
    /// - Throws: ``SoundServerError``.
    func show(_ sink: ServedSink) async throws(SoundServerError)
    func remove(_ id: String) async
    /// What is played to a sink, from the first sound of it; ends when it was silent for a while.
    ///
    /// - Returns: A descriptor to read from, which is the caller's.
    /// - Throws: ``SoundServerError`` where there is no such sink, or no descriptor left.
    func open(_ id: String) async throws(SoundServerError) -> Int32
    /// Drops what is played to a sink until it is silent and something else is played.
    func shut(_ id: String) async
    /// Removes every sink.
    func close() async
}

/// What a sound server said, or why it could not be asked.
package struct SoundServerError: Error, Sendable, Hashable {
    /// One sentence, without its full stop.
    package let message: String

    package init(_ message: String) { self.message = message }

    /// - Parameters:
    ///   - library: The Debian package that is missing.
    ///   - reason: The loader's.
    package init(library: String, of server: String, reason: String) {
        message = "\(server) needs the package \(library): \(reason)"
    }

    package static let noSink = SoundServerError("There is no such sink any more")
}
