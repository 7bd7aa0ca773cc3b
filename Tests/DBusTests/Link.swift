import DBus
import Testing

/// The ways a client reaches a server; all must behave alike.
enum Transport: CaseIterable, Sendable, CustomTestStringConvertible {
    /// The two ends of a socket pair.
    case pair
    /// A listener of ours, with a client that takes it for a bus.
    case socket
    /// A real broker.
    case bus

    static let available = allCases.filter { $0 != .bus || PrivateBus.isAvailable }

    var testDescription: String { "\(self)" }
}

/// A client and an object server that shows ``echo()`` at ``echoPath``.
struct Link: Sendable {
    static let name = "org.example"

    let objects: DBusObjectServer
    let server: DBusConnection
    let client: DBusConnection
    private let listener: DBusListener?
    /// Attaches the objects to connections that come after the client's.
    private let welcome: Task<Void, Never>?
    private let bus: PrivateBus?
    private let folder: TemporaryFolder

    init(_ transport: Transport, _ interface: DBusInterface = echo()) async throws {
        folder = try TemporaryFolder()
        let loop = DBusLoop(label: "server")
        client = DBusConnection(loop: DBusLoop(label: "client"))
        objects = DBusObjectServer(loop: loop, objectManagerPath: echoPath)
        try await objects.add(path: echoPath, [(interface, echoValues)])
        switch transport {
        case .pair:
            let (first, second) = try socketPair()
            server = DBusConnection(loop: loop)
            try await server.openPeer(fileDescriptor: first, role: .server)
            try await client.openPeer(fileDescriptor: second, role: .client)
            (listener, bus, welcome) = (nil, nil, nil)
        case .socket:
            let listener = try await DBusListener(path: "\(folder.path)/socket", loop: loop, names: [Self.name])
            try await client.open(address: "unix:path=\(folder.path)/socket")
            var connections = listener.connections.makeAsyncIterator()
            server = try #require(await connections.next())
            (self.listener, bus) = (listener, nil)
            welcome = Task { [objects] in
                for await connection in listener.connections { try? await objects.attach(connection) }
            }
        case .bus:
            let bus = try await PrivateBus()
            server = DBusConnection(loop: loop)
            try await server.open(address: bus.address)
            try await client.open(address: bus.address)
            (listener, self.bus, welcome) = (nil, bus, nil)
        }
        try await objects.attach(server)
        if transport == .bus { try await server.requestName(Self.name) }
        try await client.ready()
    }

    /// The address that `busctl` needs to reach the server.
    var address: String { bus?.address ?? "unix:path=\(folder.path)/socket" }

    func call(_ member: String, _ arguments: [DBusValue] = [], path: String = echoPath) async throws -> [DBusValue] {
        try await client.call(Self.name, path: path, interface: echoInterface, member: member, arguments)
    }

    func close() async {
        await client.close()
        await server.close()
        await client.waitUntilClosed()
        await server.waitUntilClosed()
        await listener?.close()
        await welcome?.value
        await bus?.stop()
        folder.remove()
    }
}
