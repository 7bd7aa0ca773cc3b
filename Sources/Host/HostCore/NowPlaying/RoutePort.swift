import HostInterface

/// Reaches the playback on a device through the host.
struct RoutePort: MediaSessionPort {
    let host: MediaHost
    let session: String

    func ask(_ call: MediaHandlerCall) async throws -> MediaHandlerAnswer {
        switch call {
        case .perform(let action): try await perform(action)
        case .setRoles: break
        case .artwork: throw HostError(.notSupported, "A device's picture is at its address.")
        case .animatedArtwork: throw HostError(.notSupported, "The device has no moving picture.")
        case .setDeviceVolume, .stepDeviceVolume:
            throw HostError(.notSupported, "A device's volume is set at the device.")
        }
        return MediaHandlerAnswer()
    }

    private func perform(_ action: MediaAction) async throws {
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
        case .changePlaybackRate:
            try await host.command(PlaybackCommand(.setPlaybackSpeed, number: action.number), session: session)
        case .seekForward: try await scan(at: Self.scanSpeed, action.phase)
        case .seekBackward: try await scan(at: -Self.scanSpeed, action.phase)
        default: throw HostError(.notSupported, "The device doesn't do that.")
        }
    }

    /// The scan speed as a multiple of normal speed.
    private static let scanSpeed = 8.0

    private func scan(at speed: Double, _ phase: MediaAction.Phase?) async throws {
        switch phase {
        case .begin:
            try await host.command(PlaybackCommand(.setScanSpeed, number: speed), session: session)
            try await host.command(PlaybackCommand(.setMode, identifier: "scanning"), session: session)
        case .end: try await host.command(PlaybackCommand(.setMode, identifier: "normal"), session: session)
        case nil: throw HostError(.invalidArgument, "A held command begins or ends.")
        }
    }

    /// Sets the volume, for several devices that of the group.
    func setVolume(_ level: Double) async throws {
        try await host.setGroupVolume(level, device: try await host.session(session).deviceID, prompt: nil)
    }
}
