import DBus
import Glibc
import Synchronization
import TestConditions
import Testing

@Suite("Robustness", .timeLimit(.minutes(1)))
struct RobustnessTests {
    @Test func twoHundredConnectionsLeaveNoSocketBehind() async throws {
        var used: Set<UInt64> = []
        for round in 0..<200 {
            let (first, second) = try socketPair()
            used.formUnion([inode(first), inode(second)])
            let server = DBusConnection(loop: DBusLoop(label: "server"))
            let client = DBusConnection(loop: DBusLoop(label: "client"))
            try await server.openPeer(fileDescriptor: first, role: .server)
            try await client.openPeer(fileDescriptor: second, role: .client)
            // Every third is closed before it is used, every fifth just let go.
            if round % 3 != 0 {
                let objects = DBusObjectServer(loop: server.loop, objectManagerPath: echoPath)
                try await objects.add(path: echoPath, [(echo(), echoValues)])
                try await objects.attach(server)
                let signals = try await client.signals(interface: echoInterface)
                #expect(try await client.echo("\(round)") == "\(round)")
                await objects.emitSignal(path: echoPath, interface: echoInterface, member: "Changed", [.uint32(1)])
                var iterator = signals.makeAsyncIterator()
                #expect(await iterator.next()?.arguments == [.uint32(1)])
            }
            if round % 5 != 0 {
                await client.close()
                await server.close()
                await client.waitUntilClosed()
                await server.waitUntilClosed()
            }
        }
        #expect(used.count == 400)
        await eventually("closed sockets") { openSockets().isDisjoint(with: used) }
    }

    @Test func aConnectionThatIsLetGoCloses() async throws {
        let (first, second) = try socketPair()
        let server = DBusConnection(loop: DBusLoop(label: "server"))
        try await server.openPeer(fileDescriptor: first, role: .server)
        try await server.start()
        weak var weakClient: DBusConnection?
        do {
            let client = DBusConnection(loop: DBusLoop(label: "client"))
            weakClient = client
            try await client.openPeer(fileDescriptor: second, role: .client)
            try await client.ready()
            _ = try await client.signals(interface: echoInterface)
        }
        await server.waitUntilClosed()
        await eventually("a released client") { weakClient == nil }
    }

    @Test func openingTwiceFailsAndClosesTheDescriptor() async throws {
        let (first, second) = try socketPair()
        let (third, fourth) = try socketPair()
        let number = inode(third)
        let connection = DBusConnection(loop: DBusLoop(label: "client"))
        try await connection.openPeer(fileDescriptor: first, role: .client)
        await #expect(throws: DBusError.self) { try await connection.openPeer(fileDescriptor: third, role: .client) }
        #expect(!openSockets().contains(number))
        await #expect(throws: DBusError.self) {
            try await DBusConnection(loop: DBusLoop(label: "none")).openPeer(fileDescriptor: -1, role: .client)
        }
        await connection.close()
        await connection.waitUntilClosed()
        let error = await #expect(throws: DBusError.self) { try await connection.ready() }
        #expect(error?.name == DBusError.Name.disconnected)
        for descriptor in [second, fourth] { close(descriptor) }
    }

    @Test func neverOpenedIsDisconnected() async {
        let connection = DBusConnection(loop: DBusLoop(label: "none"))
        let error = await #expect(throws: DBusError.self) { try await connection.echo("x") }
        #expect(error?.name == DBusError.Name.disconnected)
        await connection.close()
        await connection.waitUntilClosed()
    }

    @Test func noiseInsteadOfAHandshakeClosesTheConnection() async throws {
        var random = SplitMix(state: 7)
        for _ in 0..<50 {
            let (first, second) = try socketPair()
            let server = DBusConnection(loop: DBusLoop(label: "server"))
            try await server.openPeer(fileDescriptor: first, role: .server)
            try await server.start()
            send((0..<200).map { _ in .random(in: 0...255, using: &random) }, to: second)
            shutdown(second, Int32(SHUT_WR))
            await server.waitUntilClosed()
            close(second)
        }
    }

    /// Every byte of a valid call replaced in turn, by three values: the server answers or closes, and survives.
    @Test func damagedMessagesDoNotHarmTheServer() async throws {
        let loop = DBusLoop(label: "server")
        let objects = DBusObjectServer(loop: loop, objectManagerPath: echoPath)
        try await objects.add(path: echoPath, [(echo(), echoValues)])
        let good = RawMessages.echo
        for position in good.indices {
            for value: UInt8 in [0, 0x7F, good[position] &+ 1] {
                var bytes = good
                bytes[position] = value
                let (first, second) = try socketPair()
                let server = DBusConnection(loop: loop)
                try await server.openPeer(fileDescriptor: first, role: .server)
                try await objects.attach(server)
                send(RawMessages.handshake + bytes, to: second)
                shutdown(second, Int32(SHUT_WR))
                await server.waitUntilClosed()
                close(second)
            }
        }
        let (first, second) = try socketPair()
        let server = DBusConnection(loop: loop)
        let client = DBusConnection(loop: DBusLoop(label: "client"))
        try await server.openPeer(fileDescriptor: first, role: .server)
        try await client.openPeer(fileDescriptor: second, role: .client)
        try await objects.attach(server)
        #expect(try await client.echo("alive") == "alive")
        await client.close()
        await server.waitUntilClosed()
    }

    @Test func theUndamagedMessageIsAnswered() async throws {
        let text = try await answer(to: RawMessages.handshake + RawMessages.echo)
        #expect(text.contains("OK ") && text.contains("hi"))
    }

    @Test func aClientThatNeverReadsIsCutOff() async throws {
        let (first, second) = try socketPair()
        let server = DBusConnection(loop: DBusLoop(label: "server"))
        let objects = DBusObjectServer(loop: server.loop, objectManagerPath: echoPath)
        try await objects.add(path: echoPath, [(echo(), echoValues)])
        try await server.openPeer(fileDescriptor: first, role: .server)
        try await objects.attach(server)
        send(RawMessages.handshake, to: second)
        try await server.ready()
        let isClosed = Mutex(false)
        async let closing: Void = {
            await server.waitUntilClosed()
            isClosed.withLock { $0 = true }
        }()
        // The amount the kernel accepts before the queue grows differs between machines.
        var count: UInt32 = 0
        while !isClosed.withLock({ $0 }) {
            await objects.emitSignal(path: echoPath, interface: echoInterface, member: "Changed", [.uint32(count)])
            count &+= 1
        }
        await closing
        close(second)
    }
}

/// Writes bytes to a socket whose reader may be gone already.
func send(_ bytes: [UInt8], to descriptor: Int32) {
    let written = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    #expect(written == bytes.count || errno == EPIPE)
}
