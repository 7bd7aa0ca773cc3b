import DBus
import Synchronization
import Testing

@Suite("Properties that are made when they are asked for", .timeLimit(.minutes(1)))
struct ComputedPropertyTests {
    @Test func theyAreReadOneByOneAndTogetherAndNeedNoValue() async throws {
        let count = Mutex<Int64>(0)
        let server = DBusObjectServer(loop: DBusLoop(label: "server"), objectManagerPath: "/org/example")
        let read: @Sendable () -> DBusValue = {
            .int64(
                count.withLock {
                    $0 += 1; return $0
                })
        }
        let interface = DBusInterface(
            "org.example.Clock",
            properties: [DBusProperty("Now", "x", emits: .none, read: read), DBusProperty("Name", "s")])
        try await server.add(path: "/org/example", [(interface, ["Name": .string("clock")])])
        let (first, second) = try socketPair()
        let peer = DBusConnection(loop: server.loop)
        let client = DBusConnection(loop: DBusLoop(label: "client"))
        try await peer.openPeer(fileDescriptor: first, role: .server)
        try await client.openPeer(fileDescriptor: second, role: .client)
        try await server.attach(peer)
        func get(_ member: String, _ arguments: String...) async throws -> DBusValue? {
            try await client.call(
                nil, path: "/org/example", interface: "org.freedesktop.DBus.Properties", member: member,
                arguments.map { .string($0) }
            ).first
        }
        #expect(try await get("Get", "org.example.Clock", "Now")?.asInt64 == 1)
        #expect(try await get("Get", "org.example.Clock", "Now")?.asInt64 == 2)
        let all = try await get("GetAll", "org.example.Clock")?.asDictionary
        #expect(all?["Now"]?.asInt64 == 3)
        #expect(all?["Name"]?.asString == "clock")
        await client.close()
        await peer.close()
    }
}
