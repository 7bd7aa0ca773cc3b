import DBus
import Glibc
import Testing

@Suite("Clients of an object server", .timeLimit(.minutes(1)))
struct ClientTests {
    @Test(arguments: Transport.available)
    func aServerCallsItsClientBack(over transport: Transport) async throws {
        let silence = Silence()
        let link = try await Link(transport, silence.interface)
        let agent = DBusObjectServer(loop: link.client.loop, objectManagerPath: "/agent")
        let ask = DBusMethod("Ask", in: [("question", "s")], out: [("answer", "s")]) { call in
            call.reply([.string((call.arguments.first?.asString ?? "") + "!")])
        }
        try await agent.add(path: "/agent", [(DBusInterface("org.example.Agent1", methods: [ask]), [:])])
        try await agent.attach(link.client)
        async let done = link.call("Wait")
        let call = try #require(await silence.nextCall())
        let answer = try await link.objects.call(
            call.client, path: "/agent", interface: "org.example.Agent1", member: "Ask", [.string("really")])
        #expect(answer == [.string("really!")])
        #expect(try await link.objects.processID(of: call.client) == getpid())
        call.reply()
        #expect(try await done == [])
        await link.close()
    }

    @Test(arguments: Transport.available)
    func aClientThatLeavesIsReportedOnce(over transport: Transport) async throws {
        let silence = Silence()
        let link = try await Link(transport, silence.interface)
        let task = Task { try await link.call("Wait") }
        let call = try #require(await silence.nextCall())
        await link.client.abort()
        await #expect(throws: DBusError.self) { try await task.value }
        var gone = link.objects.clientsGone.makeAsyncIterator()
        #expect(await gone.next() == call.client)
        // Another one comes and leaves: the first is not told again.
        if transport == .bus {
            let second = DBusConnection(loop: DBusLoop(label: "second"))
            try await second.open(address: link.address)
            _ = try await second.echo("hello", to: Link.name)
            let name = await second.uniqueName
            #expect(name != nil)
            await second.close()
            #expect(await gone.next()?.busName == name)
        }
        let error = await #expect(throws: DBusError.self) {
            try await link.objects.call(call.client, path: "/a", interface: "a.b", member: "C", timeout: .seconds(5))
        }
        #expect(error != nil)
        await link.close()
    }

    @Test func aClientThatLeavesRightAfterItsCallIsReported() async throws {
        let link = try await Link(.pair)
        try await link.client.send(
            Link.name, path: echoPath, interface: echoInterface, member: "Echo", [.string("bye")])
        await link.client.close()
        var gone = link.objects.clientsGone.makeAsyncIterator()
        #expect(await gone.next() != nil)
        await link.close()
    }

    @Test func aSignalForOneReachesNobodyElse() async throws {
        let folder = try TemporaryFolder()
        let loop = DBusLoop(label: "server")
        let listener = try await DBusListener(path: "\(folder.path)/socket", loop: loop)
        var accepted = listener.connections.makeAsyncIterator()
        let objects = DBusObjectServer(loop: loop, objectManagerPath: echoPath)
        let silence = Silence()
        try await objects.add(path: echoPath, [(silence.interface, echoValues)])
        var streams: [AsyncStream<DBusSignal>] = []
        var clients: [DBusConnection] = []
        var callers: [DBusClient] = []
        for _ in 0..<2 {
            let client = DBusConnection(loop: DBusLoop(label: "client"))
            try await client.open(address: "unix:path=\(folder.path)/socket")
            try await objects.attach(try #require(await accepted.next()))
            streams.append(try await client.signals(interface: echoInterface))
            try await client.send(nil, path: echoPath, interface: echoInterface, member: "Wait")
            callers.append(try #require(await silence.nextCall()?.client))
            clients.append(client)
        }
        #expect(callers[0] != callers[1])
        await objects.emitSignal(path: echoPath, interface: echoInterface, member: "Private", [], to: callers[0])
        await objects.emitSignal(path: echoPath, interface: echoInterface, member: "Public")
        var first = streams[0].makeAsyncIterator()
        var second = streams[1].makeAsyncIterator()
        #expect(await [first.next()?.member, first.next()?.member] == ["Private", "Public"])
        #expect(await second.next()?.member == "Public")
        for client in clients { await client.close() }
        await listener.close()
        folder.remove()
    }
}
