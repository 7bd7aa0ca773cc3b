import DBus
import Testing

/// `busctl` is an independent client: its output is the view of other programs.
@Suite(
    "Generic clients", .enabled(if: executable("busctl") != nil, "busctl is missing"), .timeLimit(.minutes(1)))
struct GenericClientTests {
    static let transports = Transport.available.filter { $0 != .pair }

    private func busctl(_ link: Link, _ arguments: String...) async throws -> String {
        let program = try #require(executable("busctl"))
        let result = try await run(program, ["--address=\(link.address)"] + arguments)
        #expect(result.status == 0, "\(result.output)")
        return result.output
    }

    @Test(arguments: transports)
    func theTreeShowsEveryObject(over transport: Transport) async throws {
        let link = try await Link(transport)
        for name in ["one", "two"] {
            try await link.objects.add(path: "\(echoPath)/things/\(name)", [(echo(), echoValues)])
        }
        let tree = try await busctl(link, "--list", "tree", Link.name)
        let paths = Set(tree.split(separator: "\n").map(String.init))
        #expect(
            paths.isSuperset(of: [echoPath, echoPath + "/things", echoPath + "/things/one", echoPath + "/things/two"]))
        #expect(!paths.contains("/org/freedesktop"))
        await link.close()
    }

    @Test(arguments: transports)
    func introspectionShowsMembersWithTheirTypes(over transport: Transport) async throws {
        let link = try await Link(transport)
        let text = try await busctl(link, "introspect", Link.name, echoPath)
        let rows = text.split(separator: "\n").map { $0.split(separator: " ", omittingEmptySubsequences: true) }
        let members = Dictionary(rows.map { (String($0[0]), $0.dropFirst().map(String.init)) }) { first, _ in first }
        #expect(members[".Echo"]?.prefix(3) == ["method", "s", "s"])
        #expect(members[".Level"]?.prefix(4) == ["property", "d", "0.5", "emits-change"])
        #expect(members[".Name"]?.prefix(4) == ["property", "s", "\"a\"", "emits-invalidation"])
        #expect(members[".Changed"]?.prefix(2) == ["signal", "u"])
        #expect(members["org.freedesktop.DBus.ObjectManager"] != nil)
        let document = try await busctl(link, "--xml-interface", "introspect", Link.name, echoPath)
        #expect(document.contains("<arg type=\"s\" name=\"text\" direction=\"in\"/>"))
        #expect(document.contains("<arg type=\"u\" name=\"count\"/>"))
        await link.close()
    }

    @Test(arguments: transports)
    func callsAndPropertiesWork(over transport: Transport) async throws {
        let link = try await Link(transport)
        let reply = try await busctl(link, "call", Link.name, echoPath, echoInterface, "Echo", "s", "hello")
        #expect(reply == "s \"hello\"\n")
        let level = try await busctl(link, "get-property", Link.name, echoPath, echoInterface, "Level")
        #expect(level == "d 0.5\n")
        let ping = try await busctl(link, "call", Link.name, echoPath, "org.freedesktop.DBus.Peer", "Ping")
        #expect(ping.isEmpty)
        await link.close()
    }

    /// The answer to its greeting has to be the first that a client of buses hears.
    @Test func whatChangesWhileAClientConnectsIsNotInItsWay() async throws {
        let folder = try TemporaryFolder()
        let loop = DBusLoop(label: "server")
        let objects = DBusObjectServer(loop: loop, objectManagerPath: echoPath)
        let listener = try await DBusListener(path: "\(folder.path)/socket", loop: loop)
        let client = DBusConnection(loop: DBusLoop(label: "client"))
        try await client.open(address: "unix:path=\(folder.path)/socket")
        var connections = listener.connections.makeAsyncIterator()
        let server = try #require(await connections.next())
        try await objects.attach(server)
        try await objects.add(path: echoPath, [(echo(), echoValues)])
        await objects.update(path: echoPath, interface: echoInterface, ["Level": .double(0.75)])
        await objects.emitSignal(path: echoPath, interface: echoInterface, member: "Changed", [.uint32(1)])
        let signals = try await client.signals(pathNamespace: echoPath)
        try await client.ready()
        await objects.emitSignal(path: echoPath, interface: echoInterface, member: "Changed", [.uint32(2)])
        let first = await signals.first { _ in true }
        #expect(first?.arguments == [.uint32(2)])
        await client.close()
        await listener.close()
        await client.waitUntilClosed()
        await server.waitUntilClosed()
        folder.remove()
    }

    @Test(arguments: transports)
    func theServersNameHasAnOwner(over transport: Transport) async throws {
        let link = try await Link(transport)
        let ask = { (member: String, name: String) in
            try await link.client.call(
                "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
                member: member, [.string(name)])
        }
        #expect(try await ask("GetNameOwner", Link.name).first?.asString?.hasPrefix(":1.") == true)
        #expect(try await ask("NameHasOwner", Link.name) == [.boolean(true)])
        #expect(try await ask("NameHasOwner", "org.example.Nobody") == [.boolean(false)])
        let nobody = await #expect(throws: DBusError.self) { try await ask("GetNameOwner", "org.example.Nobody") }
        #expect(nobody?.name == DBusError.Name.nameHasNoOwner)
        let unknown = await #expect(throws: DBusError.self) { try await ask("NoSuchMember", "") }
        #expect(unknown?.name == DBusError.Name.unknownMethod)
        let name = try #require(await link.client.uniqueName)
        #expect(try await ask("NameHasOwner", name) == [.boolean(true)])
        await link.close()
    }

    @Test(.enabled(if: PrivateBus.isAvailable, "dbus-daemon is missing"))
    func aNameWithAnOwnerIsNotGivenAway() async throws {
        let link = try await Link(.bus)
        let error = await #expect(throws: DBusError.self) { try await link.client.requestName(Link.name) }
        #expect(error?.name == DBusError.Name.addressInUse)
        try await link.server.requestName(Link.name)
        try await link.server.releaseName(Link.name)
        try await link.client.requestName(Link.name)
        await link.close()
    }
}
