import DBus
import Foundation
import HostInterface
import LinkProtocol

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

    /// Calls run on the main actor, and begin in their order of arrival.
    var interface: DBusInterface {
        DBusInterface(
            HostNames.mediaLinkInterface,
            methods: RemoteSessionCall.Member.allCases.map { member in
                DBusMethod(member.rawValue, in: member.arguments, out: member.results) { call in
                    do throws(MalformedMessage) {
                        let request = try RemoteSessionCall(member, call.arguments)
                        Task { @MainActor in await answer(request, call) }
                    } catch {
                        call.fail(DBusError(name: DBusError.Name.invalidArguments, message: error.reason))
                    }
                }
            })
    }

    @MainActor private func answer(_ request: RemoteSessionCall, _ call: DBusMethodCall) async {
        do {
            switch request {
            case .open(let session, let attributes, let token):
                call.reply([.objectPath(try await runtime.open(session, attributes, token: token, make))])
            case .update(let session, let attributes):
                try runtime.update(session, attributes)
                call.reply()
            case .close(let session):
                await runtime.close(session)
                call.reply()
            case .setToken(let session, let token):
                try runtime.setToken(token, session)
                call.reply()
            }
        } catch {
            call.fail(SessionHandler.hostError(error).asDBusError)
        }
    }

    /// The interface whose `Ping` shows the host that the author's code doesn't block the main actor.
    static var heartbeat: DBusInterface {
        DBusInterface(
            HostNames.extensionLinkInterface,
            methods: [
                DBusMethod(ExtensionCall.Member.ping.rawValue) { call in
                    Task { @MainActor in call.reply() }
                }
            ])
    }
}
