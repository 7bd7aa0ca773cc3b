import DeviceConnections
import DeviceDiscovery
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DeviceConnectionTests {
    private func open(
        _ endpoints: [NWEndpoint], patience: Duration = .seconds(30),
        _ change: (inout DeviceConnection<LineMachine>.Limits) -> Void = { _ in }
    ) async throws -> DeviceConnection<LineMachine> {
        var limits = DeviceConnection<LineMachine>.Limits()
        (limits.connecting, limits.greeting) = (.seconds(30), .seconds(30))
        change(&limits)
        return try await DeviceConnection.open(anyOf: endpoints, limits: limits) { LineMachine(patience: patience) }
    }

    @Test func asksAndIsToldThings() async throws {
        let server = try await LoopbackServer(greeting: "hello\n") { "!news\n" + $0 }
        let connection = try await open([server.endpoint])
        #expect(try await connection.request("one") == "one")
        #expect(try await connection.request("two") == "two")
        var news = connection.notifications.makeAsyncIterator()
        #expect(await news.next() == "news")
        await connection.close()
        await #expect(throws: TransportFailure.disconnected("it was closed")) { try await connection.request("three") }
        try await server.stop()
    }

    @Test func triesEveryAddress() async throws {
        let closed = try await LoopbackServer { _ in nil }
        let nobody = closed.endpoint
        try await closed.stop()
        let server = try await LoopbackServer(greeting: "hello\n") { $0 }
        let connection = try await open([nobody, server.endpoint])
        #expect(try await connection.request("one") == "one")
        await connection.close()
        await #expect(throws: TransportFailure.unreachable("Connection refused")) { try await open([nobody]) }
        await #expect(throws: TransportFailure.unreachable("it has no address")) { try await open([]) }
        try await server.stop()
    }

    @Test func whoeverDoesNotGreetIsLeft() async throws {
        let silent = try await LoopbackServer { $0 }
        await #expect(throws: TransportFailure.timedOut("waiting for its greeting")) {
            try await open([silent.endpoint]) { $0.greeting = .milliseconds(50) }
        }
        let other = try await LoopbackServer(greeting: "HTTP/1.1\n") { $0 }
        await #expect(throws: TransportFailure.malformed("no greeting")) { try await open([other.endpoint]) }
        try await silent.stop()
        try await other.stop()
    }

    @Test func anAnswerThatDoesNotComeEndsTheConnection() async throws {
        let server = try await LoopbackServer(greeting: "hello\n") { _ in "" }
        let connection = try await open([server.endpoint], patience: .milliseconds(300))
        await #expect(throws: TransportFailure.timedOut("no answer")) { try await connection.request("one") }
        for await _ in connection.notifications {}
        await #expect(throws: TransportFailure.timedOut("no answer")) { try await connection.request("two") }
        try await server.stop()
    }

    @Test func aDeviceThatLeavesFailsWhatWaits() async throws {
        let server = try await LoopbackServer(greeting: "hello\n") { _ in nil }
        let connection = try await open([server.endpoint])
        await #expect(throws: TransportFailure.disconnected("the device closed it")) {
            try await connection.request("one")
        }
        try await server.stop()
    }

    @Test func requestsAndNotificationsAreBounded() async throws {
        let silent = try await LoopbackServer(greeting: "hello\n") { _ in "" }
        let connection = try await open([silent.endpoint]) { $0.requestsInFlight = 0 }
        await #expect(throws: TransportFailure.tooLarge("too many requests at once")) {
            try await connection.request("one")
        }
        await connection.close()
        let talker = try await LoopbackServer(greeting: "hello\n!1\n!2\n!3\n") { $0 }
        let flooded = try await open([talker.endpoint]) { $0.notifications = 2 }
        await #expect(throws: TransportFailure.self) { try await flooded.request("one") }
        try await silent.stop()
        try await talker.stop()
    }

    // MARK: HTTP

    @Test func asksAWebServer() async throws {
        let server = try await LoopbackServer { request in
            #expect(request.contains("POST /x HTTP/1.1") && request.contains("Content-Length: 2"))
            return "HTTP/1.1 401 No\r\nContent-Length: 3\r\n\r\nabc"
        }
        var exchange = HTTPExchange(path: "/x")
        exchange.method = "POST"
        exchange.body = Array("hi".utf8)
        let answer = try await exchange.send(toAnyOf: [server.endpoint])
        #expect(answer.status == 401 && answer.body == Array("abc".utf8))
        exchange.longestAnswer = 2
        await #expect(throws: TransportFailure.tooLarge("its answer has more than 2 bytes")) {
            try await exchange.send(toAnyOf: [server.endpoint])
        }
        try await server.stop()
    }

    @Test func aWebServerHasItsTime() async throws {
        let silent = try await LoopbackServer { _ in "" }
        var exchange = HTTPExchange(path: "/")
        // Time enough to connect on a busy machine.
        exchange.limit = .seconds(1)
        await #expect(throws: TransportFailure.timedOut("no complete answer")) {
            try await exchange.send(toAnyOf: [silent.endpoint])
        }
        let rude = try await LoopbackServer { _ in nil }
        exchange.limit = .seconds(5)
        await #expect(throws: TransportFailure.self) { try await exchange.send(toAnyOf: [rude.endpoint]) }
        let other = try await LoopbackServer { _ in "nonsense\r\n\r\n" }
        await #expect(throws: TransportFailure.self) { try await exchange.send(toAnyOf: [other.endpoint]) }
        for server in [silent, rude, other] { try await server.stop() }
    }
}
