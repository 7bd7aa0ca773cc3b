import DBus
import HostCore
import HostInterface
import Synchronization

/// Shows the page as an app's picker: its identifier and name, and whether to open a browser.
///
/// Returns the link that lets a browser in.
package typealias ShowPicker =
    @Sendable (_ identifier: String, _ name: String, _ opens: Bool) async throws -> String

/// `org.mdhost.Manager1`: leases, agents, apps and the daemon itself.
final class ManagerObject: Sendable {
    private let host: MediaHost
    private let sinks: any SoundSinkControl
    private let server: DBusObjectServer
    private let prompts: PromptDirectory
    private let applications: ApplicationDirectory
    private let showPicker: ShowPicker
    private let quit: @Sendable () -> Void
    let leases = LeaseDirectory()

    init(
        host: MediaHost, sinks: any SoundSinkControl, server: DBusObjectServer, prompts: PromptDirectory,
        applications: ApplicationDirectory, showPicker: @escaping ShowPicker, quit: @escaping @Sendable () -> Void
    ) {
        self.host = host
        self.sinks = sinks
        self.server = server
        self.prompts = prompts
        self.applications = applications
        self.showPicker = showPicker
        self.quit = quit
    }

    var interface: DBusInterface {
        DBusInterface(
            HostNames.managerInterface,
            methods: discoveryMethods + clientMethods + deviceMethods + certificateMethods + sinkMethods + lifeMethods,
            properties: [
                DBusProperty("Version", "s", emits: .constant), DBusProperty("ProcessID", "u", emits: .constant),
                DBusProperty("Problems", "a(ss)"), DBusProperty("Settled", "b"),
                DBusProperty("SinksFollowDevices", "b"),
                DBusProperty("Leases", "a{ob}") { [leases] connection in leases.value(on: connection) },
            ], signals: [DBusSignalDeclaration(Self.applicationsChanged)])
    }

    private var discoveryMethods: [DBusMethod] {
        [
            .async("AcquireDiscoveryLease", in: [("options", "a{sv}")], out: [("lease", "o")]) { [self] call in
                [.objectPath(try await takeLease(for: call.client))]
            },
            .async(
                "Route", in: [("device", "o"), ("application", "s")],
                out: [("handled", "b"), ("application", "s"), ("problem", "s")]
            ) { [self] call in try await route(call) },
            .async(
                "Unroute", in: [("device", "o"), ("application", "s")],
                out: [("handled", "b"), ("applications", "as")]
            ) { [self] call in
                let (device, application) = try Self.routeArguments(call)
                let names = try await host.unroute(device, application: application)
                await host.published()
                await Self.tellApplications(server)
                return [.boolean(true), .strings(names)]
            },
        ]
    }

    private var clientMethods: [DBusMethod] {
        [
            DBusMethod("RegisterAgent", in: [("agent", "o")], out: []) { [prompts] call in
                guard let path = call.arguments.first?.asString else {
                    return call.fail(HostError.badArguments.asDBusError)
                }
                prompts.register(call.client, path: path)
                call.reply()
            },
            DBusMethod("UnregisterAgent", in: [("agent", "o")], out: []) { [prompts] call in
                prompts.unregister(call.client)
                call.reply()
            },
            .async("RegisterApplication", in: [("observer", "o"), ("declaration", "a{sv}")], out: []) {
                [host, applications, server] call in
                guard call.arguments.count == 2, let path = call.arguments[0].asString else {
                    throw HostError.badArguments
                }
                let declaration = try DBusDictionaryDecoder().decode(
                    ApplicationDeclaration.self, from: call.arguments[1])
                let process = try? await server.processID(of: call.client)
                applications.register(call.client, path: path, declaration, processID: process)
                await Self.tellApplications(server)
                guard await server.isConnected(call.client) else {
                    await Self.left(applications.unregister(call.client), host)
                    return []
                }
                let held = call.arguments[1].asDictionary?["routes"]?.asArray?.compactMap(\.asString) ?? []
                // Not before the reply: the app may be asked something.
                Task {
                    await host.applicationRegistered(
                        declaration.identifier, holding: held.map(HostNames.deviceIdentifier))
                }
                return []
            },
            .async("UnregisterApplication", in: [("observer", "o")], out: []) { [host, applications, server] call in
                await Self.left(applications.unregister(call.client, path: call.arguments.first?.asString), host)
                await Self.tellApplications(server)
                return []
            },
            .async("ReportProblem", in: [("device", "o"), ("problem", "s")], out: []) { [host, applications] call in
                guard call.arguments.count == 2, let application = applications.declaration(of: call.client),
                    let problem = call.arguments[1].asString.flatMap(ApplicationProblem.init)
                else { throw HostError.badArguments }
                await host.applicationReported(
                    problem.sentence, application: application,
                    device: try Self.device(call.arguments[0].asString))
                return []
            },
            .async("ListApplications", in: [], out: [("applications", "aa{sv}")]) { [host, applications] _ in
                let encoder = DBusDictionaryEncoder()
                let routed = await host.routedApplications
                return [
                    .array(
                        of: "a{sv}",
                        try applications.declarations.map { declaration in
                            let encoded = try encoder.encode(declaration)
                            guard let device = routed[declaration.identifier],
                                case .dictionary(let key, let value, var entries) = encoded
                            else { return encoded }
                            entries[.string("device")] = .variant(.objectPath(HostNames.devicePath(device)))
                            return .dictionary(key: key, value: value, entries)
                        })
                ]
            },
            .async("ShowPicker", in: [("application", "s"), ("options", "a{sv}")], out: [("link", "s")]) {
                [applications, showPicker] call in
                guard call.arguments.count == 2, let word = call.arguments[0].asString,
                    let options = call.arguments[1].asDictionary
                else { throw HostError.badArguments }
                let declaration = try applications.application(word, of: call.client)
                let opens = options["open"]?.asBool ?? true
                return [.string(try await showPicker(declaration.identifier, declaration.name, opens))]
            },
        ]
    }

    private var deviceMethods: [DBusMethod] {
        [
            .async("AddDevice", in: [("address", "s"), ("options", "a{sv}")], out: [("devices", "ao")]) { [host] call in
                guard call.arguments.count == 2, let text = call.arguments[0].asString,
                    let options = call.arguments[1].asDictionary
                else { throw HostError.badArguments }
                let address = try ManualAddress(text, protocolName: options["protocol"]?.asString)
                let devices = try await host.addDevice(address)
                await host.published()
                return [.array(of: "o", devices.map { .objectPath(HostNames.devicePath($0)) })]
            },
            .async("RemoveDevice", in: [("address", "s")], out: []) { [host] call in
                guard let address = call.arguments.first?.asString else { throw HostError.badArguments }
                try await host.removeDevice(address)
                await host.published()
                return []
            },
            .async("MergeDevices", in: [("devices", "ao"), ("options", "a{sv}")], out: [("device", "o")]) {
                [host] call in
                guard let paths = call.arguments.first?.asArray?.map(\.asString) else { throw HostError.badArguments }
                let device = try await host.mergeDevices(try paths.map(Self.device))
                await host.published()
                return [.objectPath(HostNames.devicePath(device))]
            },
            .async("SplitDevice", in: [("device", "o"), ("options", "a{sv}")], out: [("devices", "ao")]) {
                [host] call in
                let devices = try await host.splitDevice(try Self.device(call.arguments.first?.asString))
                await host.published()
                return [.array(of: "o", devices.map { .objectPath(HostNames.devicePath($0)) })]
            },
        ]
    }

    private var certificateMethods: [DBusMethod] {
        [
            .async("AcceptCertificate", in: [("server", "s"), ("accepted", "b")], out: [("server", "s")]) {
                [host] call in
                guard call.arguments.count == 2, let server = call.arguments[0].asString,
                    let isAccepted = call.arguments[1].asBool
                else { throw HostError.badArguments }
                return [.string(try await host.acceptCertificate(of: server, isAccepted))]
            },
            .async("ListAcceptedCertificates", in: [], out: [("servers", "as")]) { [host] _ in
                [.strings(await host.certificateExceptions.sorted())]
            },
        ]
    }

    private var sinkMethods: [DBusMethod] {
        [
            .async("AddSink", in: [("device", "o"), ("options", "a{sv}")], out: [("sink", "a{sv}")]) { [sinks] call in
                let options = call.arguments.last?.asDictionary ?? [:]
                let latency = try RequestedLatency(options)
                let device = try Self.device(call.arguments.first?.asString)
                let others = try (options["with"]?.asArray ?? []).map { try Self.device($0.asString) }
                let status =
                    others.isEmpty
                    ? try await sinks.add(device, latency: latency)
                    : try await sinks.addGroup([device] + others, name: options["name"]?.asString, latency: latency)
                return [try DBusDictionaryEncoder().encode(status)]
            },
            .async("RemoveSink", in: [("device", "o")], out: []) { [sinks] call in
                try await sinks.remove(try Self.device(call.arguments.first?.asString))
                return []
            },
            .async("SetSinksFollowDevices", in: [("value", "b")], out: []) { [sinks, server] call in
                guard let value = call.arguments.first?.asBool else { throw HostError.badArguments }
                try await sinks.setFollowing(value)
                await server.update(
                    path: HostNames.rootPath, interface: HostNames.managerInterface,
                    ["SinksFollowDevices": .boolean(await sinks.isFollowing)])
                return []
            },
            .async("ListSinks", in: [], out: [("sinks", "aa{sv}")]) { [sinks] _ in
                let encoder = DBusDictionaryEncoder()
                return [.array(of: "a{sv}", try await sinks.statuses.map { try encoder.encode($0) })]
            },
        ]
    }

    private var lifeMethods: [DBusMethod] {
        [
            .async("HandOver", in: [], out: []) { [host, quit] _ in
                await host.handOver()
                quit()
                return []
            },
            DBusMethod("Quit", in: [], out: []) { [quit] call in
                call.reply()
                quit()
            },
        ]
    }

    /// Releases a client's leases, agents, apps and routes.
    func forget(_ client: DBusClient) async {
        prompts.unregister(client)
        let count = applications.declarations.count
        let gone = applications.unregister(client)
        if applications.declarations.count != count { await Self.tellApplications(server) }
        for path in leases.paths(of: client) { await endLease(path, of: client) }
        await Self.left(gone, host)
        await host.releaseAll(holder: client.holder)
    }

    private static let applicationsChanged = "ApplicationsChanged"

    /// Announces that apps, or their routes, are others than before.
    private static func tellApplications(_ server: DBusObjectServer) async {
        await server.emitSignal(
            path: HostNames.rootPath, interface: HostNames.managerInterface, member: applicationsChanged)
    }

    private static func left(_ applications: Set<String>, _ host: MediaHost) async {
        for application in applications { await host.applicationGone(application) }
    }

    private func takeLease(for client: DBusClient) async throws -> String {
        let path = try leases.begin(client)
        let interface = DBusInterface(
            HostNames.leaseInterface,
            methods: [
                .async("Release", in: [], out: []) { [weak self] _ in
                    await self?.endLease(path, of: client)
                    return []
                }
            ])
        do throws(DBusError) {
            try await server.add(path: path, interface, for: client)
        } catch {
            leases.end(path, of: client)
            throw error
        }
        await host.takeLease(path)
        // A client that did not wait may have been forgotten before there was anything to end.
        guard await server.isConnected(client) else {
            leases.end(path, of: client)
            await server.remove(path: path, of: client)
            await host.endLease(path)
            throw HostError.clientGone
        }
        await host.published()
        return path
    }

    private func endLease(_ path: String, of client: DBusClient) async {
        guard leases.end(path, of: client) else { return }
        await server.remove(path: path, of: client)
        await host.endLease(path)
    }

    /// - Throws: ``HostError`` `no-such-device` for a path that isn't a device's.
    private static func device(_ path: String?) throws(HostError) -> String {
        guard let path else { throw .badArguments }
        guard path.hasPrefix(HostNames.devicesPath + "/") else {
            throw HostError(.noSuchDevice, "There is no device at \(path).")
        }
        return HostNames.deviceIdentifier(path)
    }

    private func route(_ call: DBusMethodCall) async throws -> [DBusValue] {
        let (id, identifier) = try Self.routeArguments(call)
        let device = try await host.shownDevice(id)
        let application = try applications.application(identifier, for: device)
        let answer = try await host.route(id, to: application, prompt: prompts.prompt(for: call.client))
        await host.published()
        await Self.tellApplications(server)
        return [.boolean(answer.isHandled), .string(application.name), .string(answer.problem ?? "")]
    }

    private static func routeArguments(_ call: DBusMethodCall) throws(HostError) -> (String, String) {
        guard call.arguments.count == 2, let path = call.arguments[0].asString,
            let application = call.arguments[1].asString
        else { throw HostError.badArguments }
        return (try device(path), application)
    }
}
