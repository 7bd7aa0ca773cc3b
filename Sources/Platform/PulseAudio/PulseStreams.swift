import CPulseAudio
package import SoundFeed

/// The streams of programs on a server, for reading and moving them to other outputs.
///
/// With PipeWire, pipewire-pulse shows the streams of PipeWire's own clients here as well.
///
/// Source: PulseAudio 16.1, `pulse/introspect.h`.
package actor PulseStreams {
    /// A program's stream.
    package struct Stream: Sendable, Hashable {
        /// Unique while the server runs.
        package var index: UInt32
        /// The server's internal name of the output that plays it; empty while it is between two.
        package var output: String
        /// The process, as its library reports it; `nil` if it doesn't.
        package var processID: Int32?
    }

    /// The streams and outputs at one time.
    package struct Snapshot: Sendable, Hashable {
        /// A number that differs for each run of a server.
        package var server: UInt32
        package var streams: [Stream]
        /// The server's internal names of its outputs.
        package var outputs: [String]
        /// The output of streams without one of their own; empty if there is none.
        package var defaultOutput: String
    }

    /// A stream that yields after changes of streams or outputs, for one consumer. Finishes with the server.
    package nonisolated let changes: AsyncStream<Void>
    private nonisolated let change: AsyncStream<Void>.Continuation
    private nonisolated let loop: PulseLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private let path: String?
    private var context: PulseContext?
    private var hasMoved = false

    /// Connects to a server; starts none.
    ///
    /// - Parameter path: The server's socket; `nil` for the server that programs of this user find.
    /// - Throws: ``SoundServerError`` if no server answers, or if it runs on another computer, whose processes are
    ///   unknown here.
    package static func open(path: String? = nil) async throws(SoundServerError) -> PulseStreams {
        let streams = try PulseStreams(path)
        do throws(SoundServerError) {
            try await streams.connect()
        } catch {
            await streams.close()
            throw error
        }
        return streams
    }

    private init(_ path: String?) throws(SoundServerError) {
        self.path = path
        loop = try PulseLoop()
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    isolated deinit { context?.disconnect() }

    package func close() {
        context?.disconnect()
        context = nil
        change.finish()
    }

    /// Closes the connection once the server has what it was asked for.
    package func finish() async {
        // pipewire-pulse 0.3.65 answers a move before PipeWire has read it, and PipeWire doesn't read what a closed
        // connection has sent. A later connection is answered after it has.
        if hasMoved, context != nil, let later = try? await PulseStreams.open(path: path) { await later.close() }
        close()
    }

    private func connect() async throws(SoundServerError) {
        let context = try PulseContext(loop.interface)
        self.context = context
        // Called on the loop alone.
        context.onEnd = { [weak self] in self?.assumeIsolated { $0.close() } }
        context.onSink = { [weak self] _ in self?.assumeIsolated { _ = $0.change.yield() } }
        try await context.connect(path)
        guard pa_context_is_local(context.pointer) == 1 else {
            throw SoundServerError("PulseAudio's server is on another computer")
        }
        try await context.followStreams()
    }

    /// Reads the streams.
    package func read() async throws(SoundServerError) -> Snapshot {
        guard let context else { throw PulseContext.closed }
        let server = try await context.ask { pa_context_get_server_info($0, PulseRequest.takeServer, $1) }.server
        let found = try await context.ask {
            pa_context_get_sink_input_info_list($0, PulseRequest.takeStream, $1)
        }.streams
        let outputs = try await context.ask {
            pa_context_get_sink_info_list($0, PulseRequest.takeOutputName, $1)
        }.outputNames
        var processes: [UInt32: Int32] = [:]
        if found.contains(where: { $0.processID == nil && $0.client != nil }) {
            processes = try await context.ask {
                pa_context_get_client_info_list($0, PulseRequest.takeClient, $1)
            }.processes
        }
        let streams = found.map { stream in
            Stream(
                index: stream.index, output: outputs[stream.output] ?? "",
                processID: stream.processID ?? stream.client.flatMap { processes[$0] })
        }
        return Snapshot(
            server: server?.cookie ?? 0, streams: streams, outputs: outputs.values.sorted(),
            defaultOutput: server?.defaultOutput ?? "")
    }

    /// Moves a stream. Whether the output can play it is up to the server, and so is the time. End the connection with
    /// ``finish()`` then: after ``close()``, the move may be lost.
    ///
    /// - Throws: ``SoundServerError`` if the stream or the output is gone, or the stream can't be moved.
    package func move(_ stream: UInt32, to output: String) async throws(SoundServerError) {
        guard let context else { throw PulseContext.closed }
        try await context.ask {
            pa_context_move_sink_input_by_name($0, stream, output, PulseRequest.takeSuccess, $1)
        }
        hasMoved = true
    }
}
