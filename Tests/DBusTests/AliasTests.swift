import DBus
import Testing

@Suite("Objects that are reached by another path, too", .timeLimit(.minutes(1)))
struct AliasTests {
    private static let manager = "org.freedesktop.DBus.ObjectManager"
    private static let other = echoPath + "/other"
    private static let third = echoPath + "/third"

    private func paths(_ link: Link) async throws -> [String] {
        let reply = try await link.client.call(
            Link.name, path: echoPath, interface: Self.manager, member: "GetManagedObjects")
        guard case .dictionary(_, _, let entries)? = reply.first else { return [] }
        return entries.keys.compactMap(\.asString).sorted()
    }

    /// Says which object it thinks it is.
    private let place = DBusInterface(
        "org.example.Where1", methods: [DBusMethod("Path", out: [("path", "s")]) { $0.reply([.string($0.path)]) }],
        properties: [DBusProperty("Level", "d")])

    private func path(_ link: Link, at path: String) async throws -> String? {
        try await link.client.call(Link.name, path: path, interface: "org.example.Where1", member: "Path")
            .first?.asString
    }

    @Test(arguments: Transport.available)
    func callsAndPropertiesAreThoseOfTheObject(over transport: Transport) async throws {
        let link = try await Link(transport)
        try await link.objects.add(path: Self.other, [(place, ["Level": .double(0.25)])])
        await link.objects.setAliases([Self.third, Self.other], of: Self.other)
        #expect(try await path(link, at: Self.third) == Self.other)
        let level = try await link.client.call(
            Link.name, path: Self.third, interface: "org.freedesktop.DBus.Properties", member: "Get",
            [.string("org.example.Where1"), .string("Level")])
        #expect(level == [.variant(.double(0.25))])
        #expect(try await paths(link) == [Self.other], "it is listed once")
        await link.close()
    }

    @Test func anObjectOfItsOwnCountsMore() async throws {
        let link = try await Link(.pair)
        for path in [Self.other, Self.third] {
            try await link.objects.add(path: path, [(place, ["Level": .double(0)])])
        }
        await link.objects.setAliases([Self.third], of: Self.other)
        #expect(try await path(link, at: Self.third) == Self.third)
        // The other one is removed: its path leads here.
        await link.objects.remove(path: Self.third)
        #expect(try await path(link, at: Self.third) == Self.other)
        #expect(try await paths(link) == [Self.other])
        await link.close()
    }

    @Test func whatIsAskedOfTheServerIsTheObjectItself() async throws {
        let link = try await Link(.pair)
        try await link.objects.add(path: Self.other, [(place, ["Level": .double(0)])])
        await link.objects.setAliases([Self.third], of: Self.other)
        #expect(await link.objects.value(path: Self.third, interface: place.name, property: "Level") == nil)
        await link.objects.update(path: Self.third, interface: place.name, ["Level": .double(1)])
        #expect(await link.objects.value(path: Self.other, interface: place.name, property: "Level") == .double(0))
        await link.close()
    }

    @Test func theyEndWithTheObjectOrWhenOthersAreSet() async throws {
        let link = try await Link(.pair)
        try await link.objects.add(path: Self.other, [(place, ["Level": .double(0)])])
        await link.objects.setAliases([Self.third], of: Self.other)
        await link.objects.setAliases([], of: Self.other)
        await #expect(throws: DBusError.self) { try await path(link, at: Self.third) }
        await link.objects.setAliases([Self.third], of: Self.other)
        await link.objects.remove(path: Self.other)
        try await link.objects.add(path: Self.other, [(place, ["Level": .double(0)])])
        await #expect(throws: DBusError.self) { try await path(link, at: Self.third) }
        await link.close()
    }
}
