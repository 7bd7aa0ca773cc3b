import DBus
import Glibc
import Testing

@Suite("Calls", .timeLimit(.minutes(1)))
struct CallTests {
    @Test(arguments: Transport.available)
    func aCallIsAnswered(over transport: Transport) async throws {
        let link = try await Link(transport)
        #expect(try await link.call("Echo", [.string("grüße")]) == [.string("grüße")])
        #expect(try await link.call("Slow", [.string("later")]) == [.string("later")])
        await link.close()
    }

    @Test(arguments: Transport.available)
    func anErrorReplyKeepsNameAndMessage(over transport: Transport) async throws {
        let link = try await Link(transport)
        await #expect(throws: DBusError(name: "org.example.Error.Refused", message: "not today")) {
            try await link.call("Fail")
        }
        await link.close()
    }

    @Test(arguments: [
        ("/org/example/none", "Echo", DBusError.Name.unknownObject), (echoPath, "None", DBusError.Name.unknownMethod),
        (echoPath, "Echo", DBusError.Name.invalidArguments), (echoPath, "Forget", DBusError.Name.failed),
        (echoPath, "Mismatch", DBusError.Name.failed), (echoPath, "Throw", DBusError.Name.failed),
    ])
    func wrongCallsGetTheErrorThatFits(path: String, member: String, name: String) async throws {
        let link = try await Link(.pair)
        let error = await #expect(throws: DBusError.self) { try await link.call(member, path: path) }
        #expect(error?.name == name)
        // And the connection is still good.
        #expect(try await link.client.echo("on") == "on")
        await link.close()
    }

    @Test func whatCannotBeSentFailsHere() async throws {
        let link = try await Link(.pair)
        let bad: [[DBusValue]] = [
            [.objectPath("no path")], [.array(of: "s", [.int32(1)])], [.array(of: "?", [])],
            [.structure([])], [.dictionary(key: "v", value: "s", [:])],
        ]
        for arguments in bad {
            let error = await #expect(throws: DBusError.self) { try await link.call("Echo", arguments) }
            #expect(error?.name == DBusError.Name.invalidArguments)
        }
        await #expect(throws: DBusError.self) {
            try await link.client.call(nil, path: "no path", interface: echoInterface, member: "Echo")
        }
        #expect(try await link.client.echo("on") == "on")
        await link.close()
    }

    @Test func tenThousandSendsArriveInOrder() async throws {
        let count: UInt32 = 10_000
        let (received, feed) = AsyncStream.makeStream(of: UInt32.self)
        let numbers = DBusInterface(
            echoInterface,
            methods: [
                DBusMethod("Number", in: [("number", "u")]) { call in
                    #expect(!call.expectsReply)
                    feed.yield(UInt32(call.arguments.first?.asUInt64 ?? 0))
                }
            ], properties: [DBusProperty("Level", "d"), DBusProperty("Name", "s")])
        let link = try await Link(.pair, numbers)
        for number in 0..<count {
            try await link.client.send(
                nil, path: echoPath, interface: echoInterface, member: "Number", [.uint32(number)])
        }
        var expected: UInt32 = 0
        for await number in received {
            guard number == expected else {
                Issue.record("\(number) came for \(expected)")
                break
            }
            expected += 1
            if expected == count { break }
        }
        #expect(expected == count)
        await link.close()
    }

    @Test func manyCallsAtOnceAllGetTheirOwnReply() async throws {
        let link = try await Link(.pair)
        let wrong = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<2000 {
                group.addTask { try await link.client.echo("\(number)") != "\(number)" }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(wrong == 0)
        await link.close()
    }

    @Test(arguments: Transport.available)
    func aCancelledCallReturnsAtOnce(over transport: Transport) async throws {
        let silence = Silence()
        let link = try await Link(transport, silence.interface)
        let task = Task { try await link.call("Wait") }
        let call = await silence.nextCall()
        task.cancel()
        let error = await #expect(throws: DBusError.self) { try await task.value }
        #expect(error == DBusError(name: DBusError.Name.failed, message: "cancelled"))
        // The late reply has no recipient.
        call?.reply()
        #expect(try await link.call("Echo", [.string("on")]) == [.string("on")])
        await link.close()
    }

    @Test func aCallThatTakesTooLongFails() async throws {
        let silence = Silence()
        let link = try await Link(.pair, silence.interface)
        let error = await #expect(throws: DBusError.self) {
            try await link.client.call(
                nil, path: echoPath, interface: echoInterface, member: "Wait", timeout: .milliseconds(20))
        }
        #expect(error?.name == DBusError.Name.noReply)
        await link.close()
    }

    enum End: CaseIterable { case ours, theirs, abort }

    @Test(arguments: End.allCases)
    func pendingCallsFailWhenTheConnectionEnds(by end: End) async throws {
        let silence = Silence()
        let link = try await Link(.pair, silence.interface)
        let tasks = (0..<3).map { _ in Task { try await link.call("Wait") } }
        var calls: [DBusMethodCall?] = []
        for _ in tasks { calls.append(await silence.nextCall()) }
        switch end {
        case .ours: await link.client.close()
        case .theirs: await link.server.close()
        case .abort: await link.client.abort()
        }
        for task in tasks {
            let error = await #expect(throws: DBusError.self) { try await task.value }
            #expect(error?.name == DBusError.Name.disconnected)
        }
        await link.client.waitUntilClosed()
        let error = await #expect(throws: DBusError.self) { try await link.call("Echo", [.string("")]) }
        #expect(error?.name == DBusError.Name.disconnected)
        await link.close()
    }

    @Test func closingWritesWhatIsQueued() async throws {
        let (received, feed) = AsyncStream.makeStream(of: Int.self)
        let bulk = DBusInterface(
            echoInterface,
            methods: [DBusMethod("Bulk", in: [("data", "ay")]) { feed.yield($0.arguments.first?.asBytes?.count ?? 0) }],
            properties: [DBusProperty("Level", "d"), DBusProperty("Name", "s")])
        let link = try await Link(.pair, bulk)
        let block = DBusValue.bytes([UInt8](repeating: 7, count: 1 << 20))
        for _ in 0..<20 {
            try await link.client.send(nil, path: echoPath, interface: echoInterface, member: "Bulk", [block])
        }
        await link.client.close()
        await link.server.waitUntilClosed()
        feed.finish()
        #expect(await received.reduce(0, +) == 20 << 20)
        await link.close()
    }

    @Test func aPeerThatDoesNotReadCannotHoldUpClosing() async throws {
        let (first, second) = try socketPair()
        let connection = DBusConnection(loop: DBusLoop(label: "client"))
        try await connection.openPeer(fileDescriptor: first, role: .client)
        try await connection.send(nil, path: "/a", interface: "a.b", member: "C", [.bytes([1, 2, 3])])
        await connection.close()
        await connection.waitUntilClosed()
        close(second)
    }

    @Test func whatComesBeforeTheObjectsWaitsForThem() async throws {
        let (first, second) = try socketPair()
        let client = DBusConnection(loop: DBusLoop(label: "client"))
        let server = DBusConnection(loop: DBusLoop(label: "server"))
        try await client.openPeer(fileDescriptor: second, role: .client)
        let early = Task { try await client.echo("early") }
        try await server.openPeer(fileDescriptor: first, role: .server)
        // The call is in the socket now.
        var poll = pollfd(fd: first, events: Int16(POLLIN), revents: 0)
        #expect(Glibc.poll(&poll, 1, 10_000) == 1)
        let objects = DBusObjectServer(loop: server.loop, objectManagerPath: echoPath)
        try await objects.add(path: echoPath, [(echo(), echoValues)])
        try await objects.attach(server)
        #expect(try await early.value == "early")
        await client.close()
        await server.waitUntilClosed()
    }
}

/// An interface with a method that is not answered, and the calls to it.
final class Silence: Sendable {
    private let calls: AsyncStream<DBusMethodCall>
    private let feed: AsyncStream<DBusMethodCall>.Continuation

    init() { (calls, feed) = AsyncStream.makeStream(of: DBusMethodCall.self) }

    var interface: DBusInterface {
        DBusInterface(
            echoInterface,
            methods: [
                DBusMethod("Wait") { [feed] in feed.yield($0) },
                DBusMethod("Echo", in: [("text", "s")], out: [("text", "s")]) { $0.reply($0.arguments) },
            ], properties: [DBusProperty("Level", "d"), DBusProperty("Name", "s")])
    }

    func nextCall() async -> DBusMethodCall? {
        var iterator = calls.makeAsyncIterator()
        return await iterator.next()
    }
}
