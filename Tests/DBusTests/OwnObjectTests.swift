import DBus
import Testing

/// Objects and property values that one connection alone has.
@Suite(.timeLimit(.minutes(1))) struct OwnObjectTests {
    private static let path = "/org/example/leases/1"

    private func server(_ loop: DBusLoop) async throws -> DBusObjectServer {
        let server = DBusObjectServer(loop: loop, objectManagerPath: "/org/example")
        let interface = DBusInterface(
            "org.example.Manager",
            properties: [DBusProperty("Own", "i", readOn: { .int32(Int32($0)) })])
        try await server.add(path: "/org/example", [(interface, [:])])
        return server
    }

    private func connect(_ server: DBusObjectServer, _ loop: DBusLoop) async throws -> DBusConnection {
        let (near, far) = try socketPair()
        let accepted = DBusConnection(loop: loop)
        try await accepted.openPeer(fileDescriptor: near, role: .server)
        try await server.attach(accepted)
        let client = DBusConnection(loop: DBusLoop(label: "client"))
        try await client.openPeer(fileDescriptor: far, role: .client)
        return client
    }

    private func managed(_ client: DBusConnection) async throws -> [String] {
        let reply = try await client.call(
            nil, path: "/org/example", interface: "org.freedesktop.DBus.ObjectManager", member: "GetManagedObjects")
        guard case .dictionary(_, _, let entries)? = reply.first else { return [] }
        return entries.keys.compactMap(\.asString)
    }

    private func own(_ client: DBusConnection) async throws -> DBusValue? {
        try await client.call(
            nil, path: "/org/example", interface: "org.freedesktop.DBus.Properties", member: "Get",
            [.string("org.example.Manager"), .string("Own")]
        ).first?.unwrapped
    }

    @Test func areListedAnnouncedAndCalledThereOnly() async throws {
        let loop = DBusLoop(label: "server")
        let server = try await server(loop)
        let (first, second) = (try await connect(server, loop), try await connect(server, loop))
        // Each connection reads its own value.
        #expect(try await own(first) == .int32(1))
        #expect(try await own(second) == .int32(2))
        let heard = try await second.signals(pathNamespace: "/org/example")
        let news = try await first.signals(pathNamespace: "/org/example")
        let owner = DBusClient(connection: 1, busName: nil, processID: nil)
        let interface = DBusInterface("org.example.Lease", methods: [.async("Release") { _ in [] }])
        try await server.add(path: Self.path, interface, for: owner)
        await server.tellChange(path: "/org/example", interface: "org.example.Manager", property: "Own", on: 1)
        #expect(try await managed(first) == [Self.path])
        #expect(try await managed(second) == [])
        _ = try await first.call(nil, path: Self.path, interface: "org.example.Lease", member: "Release")
        await #expect(throws: DBusError.self) {
            _ = try await second.call(nil, path: Self.path, interface: "org.example.Lease", member: "Release")
        }
        await server.remove(path: Self.path, of: owner)
        await server.emitSignal(path: "/org/example", interface: "org.example.Manager", member: "End")
        var ofFirst: [String] = []
        for await signal in news {
            ofFirst.append(signal.member)
            if signal.member == "End" { break }
        }
        #expect(ofFirst == ["InterfacesAdded", "PropertiesChanged", "InterfacesRemoved", "End"])
        var ofSecond = heard.makeAsyncIterator()
        #expect(await ofSecond.next()?.member == "End")
        #expect(try await managed(first) == [])
        await first.close()
        await second.close()
    }

    @Test func areGoneWithTheirConnection() async throws {
        let loop = DBusLoop(label: "server")
        let server = try await server(loop)
        let owner = DBusClient(connection: 1, busName: nil, processID: nil)
        let interface = DBusInterface("org.example.Lease", methods: [.async("Release") { _ in [] }])
        await #expect(throws: DBusError.self) { try await server.add(path: Self.path, interface, for: owner) }
        let first = try await connect(server, loop)
        _ = try await own(first)
        try await server.add(path: Self.path, interface, for: owner)
        _ = try await first.call(nil, path: Self.path, interface: "org.example.Lease", member: "Release")
        await first.close()
        var gone = server.clientsGone.makeAsyncIterator()
        #expect(await gone.next() != nil)
        await #expect(throws: DBusError.self) { try await server.add(path: Self.path + "2", interface, for: owner) }
    }
}
