import HostInterface

/// The playback of what programs play to a sink.
extension SoundSinks {
    /// Plays on the device of a sink.
    ///
    /// - Returns: The session.
    func play(_ sink: SoundSink) async throws -> String {
        let parts = try await host.parts(of: sink.record.id)
        let takesSamples = parts.first { $0.description.capabilities.contains(.realtimeAudio) }
        let via = (takesSamples ?? parts.first { $0.description.takesLiveSound })?.id
        return try await host.play(
            .stream(try await stream(of: sink)), on: sink.record.id, application: nil,
            media: MediaInformation(title: sink.route?.applicationName ?? title), via: via,
            owner: sink.route?.application, prompt: nil)
    }

    /// Returns what programs play to a sink, from the first sound on.
    func stream(of sink: SoundSink) async throws -> OpenStream {
        try await server.open(sink.id, latency: try sink.record.latency.map { try RequestedLatency(seconds: $0) })
    }

    func measureDelay(of id: String, _ session: HostSession) async {
        guard let samples = await server.handedIn(id), let before = sinks[id] else { return }
        // Nobody reports a position then.
        if session.takesSamples, !session.hasControl {
            if let latency = session.quality?.latency { sinks[id]?.delay.take(latency) }
        } else {
            sinks[id]?.delay.take(session.playback, samples)
        }
        guard let delay = sinks[id]?.delay, delay != before.delay else { return }
        sinks[id]?.rememberDelay()
        await changed(id, from: before)
    }

    func sink(playing session: String) -> String? {
        sinks.first { $0.value.phase == .playing(session: session) }?.key
    }
}
