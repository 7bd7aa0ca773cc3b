import DBus
import HostCore
import HostInterface

/// Reaches an app's session through the object it registered (`org.mdhost.MediaSessionHandler1`).
struct AppPort: MediaSessionPort {
    let server: DBusObjectServer
    let client: DBusClient
    let path: String

    func perform(_ action: MediaAction) async throws {
        let value = try DBusDictionaryEncoder().encode(action)
        try await call("Perform", [value], within: NowPlaying.commandLimit)
    }

    func setVolume(_ level: Double) async throws {
        throw HostError(.notSupported, "An app's own volume is set in the app.")
    }

    func artwork(_ id: String, width: Double, height: Double) async throws -> [UInt8] {
        try await call("Artwork", [.string(id), .double(width), .double(height)], within: NowPlaying.artworkLimit)
            .first?.asBytes ?? []
    }

    func animatedArtwork(
        _ id: String, aspectRatio: String, width: Double, height: Double
    ) async throws -> (preview: [UInt8], video: String) {
        let reply = try await call(
            "AnimatedArtwork", [.string(id), .string(aspectRatio), .double(width), .double(height)],
            within: NowPlaying.artworkLimit)
        return (reply.first?.asBytes ?? [], reply.last?.asString ?? "")
    }

    func setRoles(isApplicationPrimary: Bool, isSystemPrimary: Bool) async {
        _ = try? await call(
            "SetRoles", [.boolean(isApplicationPrimary), .boolean(isSystemPrimary)], within: NowPlaying.commandLimit)
    }

    @discardableResult
    private func call(_ member: String, _ arguments: [DBusValue], within limit: Duration) async throws -> [DBusValue] {
        do {
            return try await server.call(
                client, path: path, interface: HostNames.mediaHandlerInterface, member: member, arguments,
                timeout: limit)
        } catch {
            let error = HostError(error)
            throw error.code == .timedOut ? HostError(.timedOut, "The app did not answer in time.") : error
        }
    }
}
