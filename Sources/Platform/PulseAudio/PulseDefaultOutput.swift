import CPulseAudio
package import SoundFeed

/// The level of a server's default output, for reading and setting it. It is the person's own volume: it applies to
/// every program that plays there.
///
/// Source: PulseAudio 16.1, `pulse/introspect.h`, `pulse/volume.h`.
package actor PulseDefaultOutput {
    package struct Level: Sendable, Hashable {
        /// The output's name for people, such as that of the sound card.
        package var name: String
        /// `0...1`; 1 also if the server amplifies.
        package var volume: Double
        package var isMuted: Bool
    }

    /// The level now, and after each change; `nil` while the server has no output. Finishes with the server.
    package nonisolated let levels: AsyncStream<Level?>
    private nonisolated let sink: AsyncStream<Level?>.Continuation
    private nonisolated let loop: PulseLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private var context: PulseContext?
    private var told: Level??
    private var channels = 0
    private var reading: Task<Void, Never>?
    private var hasNews = false

    /// Connects to a server; starts none.
    ///
    /// - Parameter path: The server's socket; `nil` for the server that programs of this user find.
    package static func open(path: String? = nil) async throws(SoundServerError) -> PulseDefaultOutput {
        let output = try PulseDefaultOutput()
        do throws(SoundServerError) {
            try await output.connect(path)
        } catch {
            await output.close()
            throw error
        }
        return output
    }

    private init() throws(SoundServerError) {
        loop = try PulseLoop()
        (levels, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
    }

    isolated deinit { context?.disconnect() }

    package func close() {
        reading?.cancel()
        context?.disconnect()
        context = nil
        sink.finish()
    }

    package func setVolume(_ volume: Double) async throws(SoundServerError) {
        guard let context, channels > 0 else { throw PulseContext.closed }
        var volumes = pa_cvolume()
        // The scale that mixers show, which is not that of the samples.
        pa_cvolume_set(&volumes, UInt32(channels), pa_volume_t((volume * Double(PulseRequest.fullVolume)).rounded()))
        try await context.ask {
            pa_context_set_sink_volume_by_name($0, "@DEFAULT_SINK@", &volumes, PulseRequest.takeSuccess, $1)
        }
    }

    package func setMuted(_ isMuted: Bool) async throws(SoundServerError) {
        guard let context else { throw PulseContext.closed }
        try await context.ask {
            pa_context_set_sink_mute_by_name($0, "@DEFAULT_SINK@", isMuted ? 1 : 0, PulseRequest.takeSuccess, $1)
        }
    }

    private func connect(_ path: String?) async throws(SoundServerError) {
        let context = try PulseContext(loop.interface)
        self.context = context
        // Called on the loop alone.
        context.onEnd = { [weak self] in self?.assumeIsolated { $0.close() } }
        context.onSink = { [weak self] _ in self?.assumeIsolated { $0.look() } }
        try await context.connect(path)
        try await context.followDefaultSink()
        look()
    }

    /// Reads the level, and again if it changed meanwhile.
    private func look() {
        hasNews = true
        guard reading == nil else { return }
        reading = Task {
            while hasNews, let context, !Task.isCancelled {
                hasNews = false
                await read(context)
            }
            reading = nil
        }
    }

    private func read(_ context: PulseContext) async {
        let found: PulseRequest.DefaultOutput?
        do throws(SoundServerError) {
            found = try await context.ask {
                pa_context_get_sink_info_by_name($0, "@DEFAULT_SINK@", PulseRequest.takeDefaultOutput, $1)
            }.defaultOutput
        } catch {
            // There is no default output.
            found = nil
        }
        guard self.context != nil else { return }
        channels = found?.channels ?? 0
        let level = found?.level
        if told != .some(level) { sink.yield(level) }
        told = .some(level)
    }
}
