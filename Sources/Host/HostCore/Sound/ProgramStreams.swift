package import HostInterface

/// A program's stream in the sound server.
package struct ProgramStream: Sendable, Hashable, Identifiable {
    /// Unique while the server runs.
    package let id: UInt32
    /// The server's internal name of the output; empty while the stream is between two outputs.
    package var output: String
    /// The process, as the server knows it; `nil` if it doesn't.
    package var processID: Int32?

    package init(id: UInt32, output: String, processID: Int32?) {
        self.id = id
        self.output = output
        self.processID = processID
    }
}

/// The streams and outputs of the sound server at one time.
package struct ProgramStreams: Sendable, Hashable {
    /// A number that differs for each run of a server.
    package var server: UInt32
    package var streams: [ProgramStream]
    package var outputs: Set<String>
    /// The output of streams without one of their own; empty if there is none.
    package var defaultOutput: String

    package init(server: UInt32, streams: [ProgramStream], outputs: Set<String>, defaultOutput: String) {
        self.server = server
        self.streams = streams
        self.outputs = outputs
        self.defaultOutput = defaultOutput
    }
}

/// The streams of programs in the sound server, whenever there is one.
package protocol ProgramStreamPort: Sendable {
    /// A stream that yields after changes, and when the server comes or goes; for one consumer.
    var changes: AsyncStream<Void> { get }
    /// Connects to the server from now on, or no longer.
    func follow(_ isFollowed: Bool) async
    /// Returns the streams; `nil` while no server answers.
    func streams() async -> ProgramStreams?
    /// Moves a stream to an output.
    ///
    /// - Throws: ``HostError`` `no-sound-output` if the stream or the output is gone, or the stream can't be moved.
    func move(_ stream: UInt32, to output: String) async throws(HostError)
}

/// A moved stream of a routed app, with the data that the next daemon needs to move it back.
package struct MovedStream: Codable, Sendable, Hashable {
    /// ``ProgramStreams/server``, in which the stream exists.
    package let server: UInt32
    /// ``ProgramStream/id``.
    package let stream: UInt32
    /// Identifier of the app.
    package let application: String
    /// The sink it was moved to.
    package var output: String
    /// The output it was on; `nil` for the server's default.
    package let origin: String?

    package init(server: UInt32, stream: UInt32, application: String, output: String, origin: String?) {
        self.server = server
        self.stream = stream
        self.application = application
        self.output = output
        self.origin = origin
    }
}

package protocol MovedStreamStore: Sendable {
    func movedStreams() async throws -> [MovedStream]
    /// Replaces all of them; durable when it returns.
    func keep(_ streams: [MovedStream]) async throws
}
