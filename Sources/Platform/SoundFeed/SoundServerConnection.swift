/// A sink as a sound server shows it.
package struct ServedSink: Sendable, Hashable, Identifiable {
    /// The prefix of the servers' internal names of all mdhost sinks.
    package static let outputPrefix = "mdhost."

    /// Returns a server's internal name of a sink.
    package static func outputName(of id: String) -> String { outputPrefix + id }

    package let id: String
    /// The name shown to people.
    package var name: String
    /// A Boolean value that indicates whether the sink's level is the device's; the samples are then not scaled.
    package var hasLevel: Bool
    /// A Boolean value that indicates whether muting is left to the device; the samples are then not silenced.
    package var canMute: Bool
    /// `0.0...1.0` on the scale shown to people; `nil` if it isn't known yet.
    package var level: Double?
    package var isMuted: Bool
    /// The time in seconds from playing a sample to the sink until it is heard; `nil` if it isn't known.
    package var delay: Double?

    package init(
        id: String, name: String, hasLevel: Bool = false, canMute: Bool = false, level: Double? = nil,
        isMuted: Bool = false, delay: Double? = nil
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

/// An event of a sink.
package enum ServedSinkEvent: Sendable, Hashable {
    case feed(SoundFeed.Event, id: String)
    /// A person or program changed the level: `0.0...1.0`.
    case level(Double, id: String)
    case muted(Bool, id: String)
}

/// A connection to a sound server, with the sinks that are shown in it for as long as it lasts.
package protocol SoundServerConnection: Sendable {
    /// The server's name for people.
    var serverName: String { get }
    /// Ends when the server went away, or the connection was closed; one consumer.
    var events: AsyncStream<ServedSinkEvent> { get }
    /// Shows a sink, or changes a visible one.
    ///
    /// - Throws: ``SoundServerError``.
    func show(_ sink: ServedSink) async throws(SoundServerError)
    func remove(_ id: String) async
    /// Returns the audio played to a sink, from its first sound until a period of silence.
    ///
    /// - Returns: A descriptor to read from, owned by the caller.
    /// - Throws: ``SoundServerError`` if there is no such sink, or no descriptor left.
    func open(_ id: String) async throws(SoundServerError) -> Int32
    /// Returns how far the samples of a sink have been handed to whoever reads them; `nil` while nobody does.
    func progress(of id: String) async -> SampleProgress?
    /// Drops the audio played to a sink until it has been silent and new audio begins.
    func shut(_ id: String) async
    /// Removes every sink.
    func close() async
}

/// A sound server's error, or the reason it couldn't be reached.
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
