import DBus
import HostClient
import HostInterface

/// `org.mdhost.Page1`: what commands of this user ask of the page, on its own socket.
final class PageControl: Sendable {
    private let server: DBusObjectServer
    private let listener: DBusListener

    /// Serves on a socket that listens already.
    init(listeningDescriptor: Int32, loop: DBusLoop, service: PageService) async throws(HostError) {
        server = DBusObjectServer(loop: loop, objectManagerPath: "/org/mdhost")
        do throws(DBusError) {
            listener = try await DBusListener(listeningFileDescriptor: listeningDescriptor, loop: loop)
            try await server.add(path: HostNames.pagePath, [(Self.interface(service), [:])])
        } catch {
            throw HostError(error)
        }
    }

    /// Serves until the task is cancelled.
    func run() async {
        let server = server
        for await connection in listener.connections {
            try? await server.attach(connection)
        }
    }

    func close() async { await listener.close() }

    private static func text(_ call: DBusMethodCall, _ index: Int = 0) throws(HostError) -> String {
        guard call.arguments.count > index, let text = call.arguments[index].asString else {
            throw HostError(.invalidArgument, "The arguments don't fit.")
        }
        return text
    }

    private static func role(_ text: String) throws(HostError) -> PageRole {
        guard let role = PageRole(rawValue: text) else {
            throw HostError(.invalidArgument, "There is no such role.", remedy: "Use look, control or administrate.")
        }
        return role
    }

    private static func interface(_ service: PageService) -> DBusInterface {
        DBusInterface(
            HostNames.pageInterface,
            methods: [
                .async("Link", in: [("options", "a{sv}")], out: [("link", "s")]) { call in
                    let options = call.arguments.first?.asDictionary ?? [:]
                    let picker = options["application"]?.asString.map {
                        PagePicker(application: $0, name: options["name"]?.asString ?? $0)
                    }
                    let role = try role(options["role"]?.asString ?? PageRole.administrate.rawValue)
                    return [.string(await service.link(picker: picker, host: options["host"]?.asString, role: role))]
                },
                .async("Browsers", in: [], out: [("browsers", "aa{sv}")]) { _ in
                    let encoder = DBusDictionaryEncoder()
                    return [.array(of: "a{sv}", try await service.browserStatus.map { try encoder.encode($0) })]
                },
                .async("Revoke", in: [("browser", "s")], out: [("id", "s"), ("name", "s")]) { call in
                    let browser = try await service.browsers.revoke(try text(call))
                    return [.string(browser.id), .string(browser.name)]
                },
                .async("Allow", in: [("code", "s"), ("role", "s")], out: [("name", "s")]) { call in
                    [.string(try await service.browsers.decide(try text(call), try role(try text(call, 1))))]
                },
                .async("Refuse", in: [("code", "s")], out: [("name", "s")]) { call in
                    [.string(try await service.browsers.decide(try text(call), nil))]
                },
                .async("SetEnabled", in: [("enabled", "b")], out: []) { call in
                    try await service.setEnabled(call.arguments.first?.asBool ?? false)
                    return []
                },
                .async("SetInNetwork", in: [("value", "b")], out: []) { call in
                    try await service.setInNetwork(call.arguments.first?.asBool ?? false)
                    return []
                },
                .async("Status", in: [], out: [("status", "a{sv}")]) { _ in
                    [try DBusDictionaryEncoder().encode(await service.status)]
                },
                DBusMethod("Stop", in: [], out: []) { call in
                    call.reply()
                    Task { await service.leave() }
                },
            ])
    }
}
