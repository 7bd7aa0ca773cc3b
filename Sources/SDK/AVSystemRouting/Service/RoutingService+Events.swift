import DBus
import Foundation
import HostClient
import HostInterface
import TypeIdentifiers

/// The daemon's events for this app.
extension RoutingService {
    /// The path of this app's observer on the connection.
    private static let observerPath = "/org/mdhost/client/application"

    func register(on client: HostClient) async throws {
        let server = DBusObjectServer(loop: client.connection.loop, objectManagerPath: "/org/mdhost/client")
        let handle = DBusMethod.async(
            "HandleEvent", in: [("reason", "s"), ("device", "o"), ("route", "a{sv}")],
            out: [("handled", "b"), ("problem", "s")]
        ) { [weak self] call in
            guard let self else { return [.boolean(false), .string("")] }
            return await self.take(call.arguments)
        }
        try await server.add(
            path: Self.observerPath, [(DBusInterface(HostNames.observerInterface, methods: [handle]), [:])])
        try await server.attach(client.connection)
        self.server = server
        let name = ProcessInfo.processInfo.processName
        var declaration: [String: DBusValue] = [
            "identifier": .string(information.bundleIdentifier ?? name),
            "name": .string(information.displayName ?? name),
            "protocols": .array(of: "s", information.supportedProtocols.keys.sorted().map(DBusValue.string)),
            "universalURLPlayback": .boolean(information.supportsUniversalURLPlayback),
        ]
        let held = routes.values.filter(\.isActive).map { DBusValue.objectPath($0.path) }
        if !held.isEmpty { declaration["routes"] = .array(of: "o", held) }
        try await client.call(
            HostNames.rootPath, interface: HostNames.managerInterface, "RegisterApplication",
            [.objectPath(Self.observerPath), .options(declaration)])
    }

    /// - Returns: Whether an observer handled the event, and the first problem meanwhile.
    private func take(_ arguments: [DBusValue]) async -> [DBusValue] {
        guard arguments.count == 3, let reason = arguments[0].asString, let path = arguments[1].asString,
            let description = arguments[2].asDictionary, let name = description["name"]?.asString
        else { return [.boolean(false), .string("")] }
        let route =
            routes[path]
            ?? AVSystemRoute(
                path: path, name: name, type: description["type"]?.asString ?? "tv",
                protocolType: UTType(importedAs: description["protocol"]?.asString ?? "public.media-sharing-protocol"),
                service: self)
        routes[path] = route
        problems[path] = []
        let isHandled = await tell(reason == "activate" ? .activate : .deactivate, route)
        let problem = problems.removeValue(forKey: path)?.first
        return [.boolean(isHandled), .string(problem ?? "")]
    }
}
