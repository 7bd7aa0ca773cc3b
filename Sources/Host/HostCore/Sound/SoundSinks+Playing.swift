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
}
