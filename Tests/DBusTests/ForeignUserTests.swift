import DBus
import Glibc
import Testing

/// A bus that lets other users in, which a session bus may be made to.
@Suite(
    .timeLimit(.minutes(1)),
    .enabled(
        if: PrivateBus.isAvailable && getuid() == 0 && executable("setpriv") != nil && executable("dbus-send") != nil,
        "needs root, to be somebody else, and dbus-daemon"))
struct ForeignUserTests {
    private func call(_ member: String, on bus: PrivateBus, asNobody: Bool, _ rest: [String] = []) async throws
        -> String
    {
        let send = [
            "/usr/bin/dbus-send", "--bus=\(bus.address)", "--print-reply", "--dest=\(Link.name)", echoPath, member,
        ]
        let command = (asNobody ? ["/usr/bin/setpriv", "--reuid=65534", "--clear-groups"] : []) + send + rest
        return try await run(command[0], Array(command.dropFirst())).output
    }

    @Test func anotherUserOfTheBusGetsNothing() async throws {
        let bus = try await PrivateBus(isOpen: true)
        let loop = DBusLoop(label: "server")
        let server = DBusConnection(loop: loop)
        let objects = DBusObjectServer(loop: loop, objectManagerPath: echoPath)
        try await objects.add(path: echoPath, [(echo(), echoValues)])
        try await server.open(address: bus.address)
        try await objects.attach(server)
        try await server.requestName(Link.name)
        let calls: [(member: String, arguments: [String])] = [
            ("org.freedesktop.DBus.Introspectable.Introspect", []),
            ("org.freedesktop.DBus.ObjectManager.GetManagedObjects", []),
            ("org.freedesktop.DBus.Properties.GetAll", ["string:\(echoInterface)"]),
        ]
        for (member, arguments) in calls {
            let mine = try await call(member, on: bus, asNobody: false, arguments)
            #expect(mine.contains("method return"), "\(member): \(mine)")
            let theirs = try await call(member, on: bus, asNobody: true, arguments)
            #expect(theirs.contains("AccessDenied: This serves programs of its own user only."), "\(member): \(theirs)")
        }
        await server.close()
        await bus.stop()
    }
}
