import HostInterface

/// Reaches the playback on a device through the host.
struct RoutePort: MediaSessionPort {
    let host: MediaHost
    let session: String

    func perform(_ action: MediaAction) async throws {
        switch action.kind {
        case .play: try await host.command(PlaybackCommand(.setPlaying, flag: true), session: session)
        case .pause: try await host.command(PlaybackCommand(.setPlaying, flag: false), session: session)
        case .togglePlayPause:
            let isPlaying = try await host.session(session).playback.isPlaying
            try await host.command(PlaybackCommand(.setPlaying, flag: !isPlaying), session: session)
        case .stop: try await host.stop(session)
        case .seekToPosition:
            guard let position = action.number, position.isFinite else { throw HostError(.invalidArgument, "No time.") }
            let start = try await host.session(session).playback.timeRange.start
            try await host.command(PlaybackCommand(.seek, number: start + position, tolerance: 0), session: session)
        default: throw HostError(.notSupported, "The device does not do that.")
        }
    }

    /// Of several devices, of all.
    func setVolume(_ level: Double) async throws {
        try await host.setGroupVolume(level, device: try await host.session(session).deviceID, prompt: nil)
    }

    func artwork(_ id: String, width: Double, height: Double) async throws -> [UInt8] {
        throw HostError(.notSupported, "A device's picture is at its address.")
    }

    func animatedArtwork(
        _ id: String, aspectRatio: String, width: Double, height: Double
    ) async throws -> (preview: [UInt8], video: String) {
        throw HostError(.notSupported, "The device has no moving picture.")
    }

    func setRoles(isApplicationPrimary: Bool, isSystemPrimary: Bool) async {}
}
