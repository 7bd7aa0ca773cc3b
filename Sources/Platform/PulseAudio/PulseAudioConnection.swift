import CPulseAudio
package import SoundFeed

/// A connection to PulseAudio and its sinks, which are modules that play to this program as to another server. Runs on a
/// thread of its own (``PulseLoop``).
///
/// Source: PulseAudio 16.1, `pulse/context.h`, `pulse/introspect.h`.
package actor PulseAudioConnection: SoundServerConnection {
    package nonisolated let serverName = "PulseAudio"
    package nonisolated let events: AsyncStream<ServedSinkEvent>
    private nonisolated let eventsContinuation: AsyncStream<ServedSinkEvent>.Continuation
    private nonisolated let loop: PulseLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    /// The folder of the sinks' sockets.
    private let folder: String
    private let silence: Double
    /// `nil` before the connection is made and after it has ended.
    private var context: PulseContext?
    private var sinks: [String: PulseSink] = [:]

    /// Connects. Doesn't start a server.
    ///
    /// - Parameters:
    ///   - path: The server's socket; `nil` for the server that programs of this user find.
    ///   - folder: The folder for sockets, of this user alone.
    ///   - silence: Seconds of silence after which a sink's audio ends.
    /// - Throws: ``SoundServerError`` if no server answers, or if the server runs on another computer.
    package static func open(
        path: String? = nil, folder: String, silence: Double = SoundFeed.patience
    ) async throws(SoundServerError) -> PulseAudioConnection {
        let connection = try PulseAudioConnection(folder, silence)
        do throws(SoundServerError) {
            try await connection.connect(path)
            try await connection.begin()
        } catch {
            await connection.close()
            throw error
        }
        return connection
    }

    private init(_ folder: String, _ silence: Double) throws(SoundServerError) {
        loop = try PulseLoop()
        self.folder = folder
        self.silence = silence
        (events, eventsContinuation) = AsyncStream.makeStream()
    }

    isolated deinit { disconnect() }

    // MARK: The connection

    private func connect(_ path: String?) async throws(SoundServerError) {
        let context = try PulseContext(loop.interface)
        self.context = context
        // Called on the loop alone.
        context.onEnd = { [weak self] in self?.assumeIsolated { $0.ended() } }
        context.onSink = { [weak self] index in self?.assumeIsolated { $0.changed(index) } }
        try await context.connect(path)
        guard pa_context_is_local(context.pointer) == 1 else {
            throw SoundServerError("PulseAudio's server is on another computer")
        }
    }

    private func begin() async throws(SoundServerError) { try await context?.followSinks() }

    private func ended() {
        for sink in sinks.values { sink.end() }
        sinks = [:]
        eventsContinuation.finish()
    }

    @discardableResult
    private func ask(
        _ begin: (OpaquePointer, UnsafeMutableRawPointer) -> OpaquePointer?
    ) async throws(SoundServerError) -> PulseRequest {
        guard let context else { throw PulseContext.closed }
        return try await context.ask(begin)
    }

    package func close() async {
        for id in Array(sinks.keys) { await remove(id) }
        disconnect()
    }

    private func disconnect() {
        for sink in sinks.values { sink.end() }
        sinks = [:]
        context?.disconnect()
        context = nil
        eventsContinuation.finish()
    }

    // MARK: Sinks

    package func show(_ sink: ServedSink) async throws(SoundServerError) {
        if let shown = sinks[sink.id] {
            // A sink's name can't change: the new one waits until no program plays to it.
            guard shown.sink.name != sink.name, !shown.feed.isOpen else {
                var wanted = sink
                wanted.name = shown.sink.name
                return shown.show(wanted)
            }
            await remove(sink.id)
        }
        guard let context, context.isOpen else { throw PulseContext.closed }
        let path = folder + "/" + sink.id + ".sink"
        let made = try PulseSink(
            sink, path: path, context: context.pointer, interface: loop.interface, silence: silence
        ) { [eventsContinuation] in eventsContinuation.yield($0) }
        // Called on the loop alone.
        made.onEnd = { [weak self, id = sink.id, made = ObjectIdentifier(made)] in
            self?.assumeIsolated { $0.ended(id, made) }
        }
        sinks[sink.id] = made
        let argument = TunnelSinkModule.argument(id: sink.id, name: sink.name, socket: path)
        do throws(SoundServerError) {
            made.module = try await ask {
                pa_context_load_module($0, TunnelSinkModule.name, argument, PulseRequest.takeIndex, $1)
            }.index
            guard await made.isShown() else { throw SoundServerError("PulseAudio doesn't show “\(sink.name)”") }
            // Removed meanwhile.
            if sinks[sink.id] !== made { await unload(made) }
        } catch {
            if sinks[sink.id] === made { sinks[sink.id] = nil }
            await unload(made)
            throw error
        }
    }

    /// A sink that PulseAudio removed is shown again with its next change.
    private func ended(_ id: String, _ sink: ObjectIdentifier) {
        if let shown = sinks[id], ObjectIdentifier(shown) == sink { sinks[id] = nil }
    }

    package func remove(_ id: String) async {
        if let removed = sinks.removeValue(forKey: id) { await unload(removed) }
    }

    private func unload(_ sink: PulseSink) async {
        if let module = sink.module.take() {
            _ = try? await ask { pa_context_unload_module($0, module, PulseRequest.takeSuccess, $1) }
        }
        sink.end()
    }

    package func open(_ id: String) throws(SoundServerError) -> Int32 {
        guard let sink = sinks[id] else { throw .noSink }
        return try sink.open()
    }

    package func progress(of id: String) -> SampleProgress? { sinks[id]?.feed.progress }

    package func shut(_ id: String) { sinks[id]?.shut() }

    private func changed(_ index: UInt32) {
        guard let context else { return }
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        let operation = pa_context_get_sink_info_by_index(
            context.pointer, index,
            { _, sink, _, pointer in
                guard let sink = sink?.pointee, let name = sink.name else { return }
                let (text, isRunning) = (String(cString: name), sink.state == PA_SINK_RUNNING)
                PulseAudioConnection.enter(pointer) { $0.changed(text, isRunning: isRunning) }
            }, pointer)
        if let operation { pa_operation_unref(operation) }
    }

    /// Enters the actor from a callback. The library calls only on the loop, and never after the context is gone.
    private static func enter(
        _ pointer: UnsafeMutableRawPointer?, _ body: @Sendable (isolated PulseAudioConnection) -> Void
    ) {
        guard let pointer else { return }
        Unmanaged<PulseAudioConnection>.fromOpaque(pointer).takeUnretainedValue().assumeIsolated(body)
    }

    private func changed(_ name: String, isRunning: Bool) {
        guard name.hasPrefix(ServedSink.outputPrefix) else { return }
        sinks[String(name.dropFirst(ServedSink.outputPrefix.count))]?.setRunning(isRunning)
    }
}
