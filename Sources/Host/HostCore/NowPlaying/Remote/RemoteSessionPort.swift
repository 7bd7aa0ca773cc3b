import HostInterface

/// The access to a remote session through its extension, which is started if necessary.
struct RemoteSessionPort: MediaSessionPort {
    let sessions: RemoteSessions
    let number: Int

    func ask(_ call: MediaHandlerCall) async throws -> MediaHandlerAnswer {
        // Extensions don't receive roles, so there is no reason to start one.
        if case .setRoles = call { return MediaHandlerAnswer() }
        return try await sessions.ask(call, session: number)
    }

    func setVolume(_ level: Double) async throws {
        let devices = try await sessions.state(of: number).devices ?? []
        for (device, level) in SharedLevel.levels(level, for: devices) {
            _ = try await sessions.ask(.setDeviceVolume(device: device, level: level), session: number)
        }
    }
}
