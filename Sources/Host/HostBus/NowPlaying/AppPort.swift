import DBus
import HostCore
import HostInterface

/// Reaches an app's session through the object it registered (`org.mdhost.MediaSessionHandler1`).
struct AppPort: MediaSessionPort {
    let server: DBusObjectServer
    let client: DBusClient
    let path: String

    func setVolume(_ level: Double) async throws {
        throw HostError(.notSupported, "An app's own volume is set in the app.")
    }

    func ask(_ call: MediaHandlerCall) async throws -> MediaHandlerAnswer {
        do throws(DBusError) {
            return MediaHandlerAnswer(
                try await server.call(
                    client, path: path, interface: HostNames.mediaHandlerInterface, member: call.member,
                    try call.arguments(), timeout: call.limit))
        } catch {
            let error = HostError(error)
            throw error.code == .timedOut ? HostError(.timedOut, "The app did not answer in time.") : error
        }
    }
}
