import DBus
import Foundation
import HostInterface

/// The extension point for remote sessions.
enum RemoteMediaPoint {
    static let identifier = "com.apple.nowplaying.remote-media"
}

/// The `org.mdhost.MediaSessionLink1` interface, which the host calls in an extension for remote sessions.
struct RemoteSessionLink: Sendable {
    let runtime: RemoteSessionRuntime
    let make: @MainActor @Sendable (String, Data) async throws -> any OpenSession

    init(
        runtime: RemoteSessionRuntime,
        make: @escaping @MainActor @Sendable (String, Data) async throws -> any OpenSession
    ) {
        self.runtime = runtime
        self.make = make
    }

    var interface: DBusInterface {
        DBusInterface(
            HostNames.mediaLinkInterface,
            methods: [
                method(
                    "OpenSession", in: [("session", "s"), ("attributes", "ay"), ("pushToken", "ay")],
                    out: [("handler", "o")]
                ) { [runtime, make] session, data in
                    let path = try await runtime.open(session, data[0], token: data[1], make)
                    return [.objectPath(path)]
                },
                method("UpdateSession", in: [("session", "s"), ("attributes", "ay")]) { [runtime] session, data in
                    try runtime.update(session, data[0])
                    return []
                },
                method("CloseSession", in: [("session", "s")]) { [runtime] session, _ in
                    await runtime.close(session)
                    return []
                },
                method("SetPushToken", in: [("session", "s"), ("pushToken", "ay")]) { [runtime] session, data in
                    try runtime.setToken(data[0], session)
                    return []
                },
            ])
    }

    /// The interface whose `Ping` tells the host that the author's code doesn't block the main actor.
    static var heartbeat: DBusInterface {
        DBusInterface(
            HostNames.extensionLinkInterface,
            methods: [
                DBusMethod("Ping") { call in
                    Task { @MainActor in call.reply() }
                }
            ])
    }

    /// Returns a method that runs on the main actor. Calls begin in their order of arrival.
    private func method(
        _ name: String, in arguments: [(name: String, signature: String)],
        out: [(name: String, signature: String)] = [],
        _ body: @escaping @MainActor @Sendable (_ session: String, _ data: [Data]) async throws -> [DBusValue]
    ) -> DBusMethod {
        DBusMethod(name, in: arguments, out: out) { call in
            let session = call.arguments.first?.asString ?? ""
            let data = call.arguments.dropFirst().map { Data($0.asBytes ?? []) }
            Task { @MainActor in
                do {
                    call.reply(try await body(session, data))
                } catch {
                    call.fail(SessionHandler.hostError(error).asDBusError)
                }
            }
        }
    }
}
