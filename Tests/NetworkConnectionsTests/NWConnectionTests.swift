import DeviceDiscovery
import Foundation
import HostInterface
import NetworkConnections
import ObservedConnections
import Testing

/// Against servers that are processes of their own.
@Suite(.timeLimit(.minutes(2))) struct NWConnectionTests {
    @Test func aStreamIsSentReceivedAndHalfClosed() async throws {
        let server = try PeerProcess(PeerProcess.echo)
        let client = ObservedConnection(to: server.port).start()
        #expect(await client.next() == .preparing)
        #expect(await client.next() == .ready)
        #expect(client.connection.currentPath?.remoteEndpoint == .hostPort(host: "127.0.0.1", port: server.port))
        #expect(await client.send("hello") == nil)
        #expect(await client.receive(5).text == "hello")
        #expect(await client.send("world", .finalMessage) == nil)
        // The server answers after this side's end.
        var received = await client.receive(9)
        #expect(received.text == "world<10>")
        // The end may come with the last content.
        if !received.isComplete { received = await client.receive() }
        #expect(received.isComplete && received.isFinal && received.error == nil)
        #expect(await client.receive().error == .posix(.ENODATA))
        #expect(await client.send("late") == .posix(.EPIPE))
        client.connection.cancel()
        #expect(await client.next() == .cancelled)
    }

    @Test func completionsComeInTheOrderOfTheirCalls() async throws {
        let server = try PeerProcess(PeerProcess.echo)
        let client = ObservedConnection(to: server.port)
        let (numbers, feed) = AsyncStream.makeStream(of: Int.self)
        for number in 0..<100 {
            client.connection.send(
                content: Data("x".utf8), completion: .contentProcessed { _ in feed.yield(number) })
        }
        _ = client.start()
        var seen: [Int] = []
        for await number in numbers {
            seen.append(number)
            if seen.count == 100 { break }
        }
        #expect(seen == Array(0..<100))
        #expect(await client.receive(100, 100).text == String(repeating: "x", count: 100))
    }

    @Test func aRefusedConnectionWaitsAndIsTriedAgain() async throws {
        let first = try PeerProcess(PeerProcess.echo)
        await first.stop()
        let client = ObservedConnection(to: first.port).start()
        #expect(await client.settled() == .waiting(.posix(.ECONNREFUSED)))
        let second = try PeerProcess(PeerProcess.echo, [String(first.port.rawValue)])
        client.connection.restart()
        #expect(await client.settled() == .ready)
        #expect(await client.send("again") == nil)
        #expect(await client.receive(5).text == "again")
        withExtendedLifetime(second) {}
    }

    @Test func aSilentServerTimesOut() async throws {
        // A full queue of a listener without accepts: the kernel leaves further requests without an answer.
        let server = try PeerProcess(
            """
            import socket
            s = socket.socket()
            s.bind(("127.0.0.1", 0))
            s.listen(0)
            held = []
            for _ in range(4):
                c = socket.socket()
                c.setblocking(False)
                c.connect_ex(s.getsockname())
                held.append(c)
            print(s.getsockname()[1])
            threading.Event().wait()
            """)
        let options = NWProtocolTCP.Options()
        options.connectionTimeout = 1
        let client = ObservedConnection(to: server.port, using: NWParameters(tls: nil, tcp: options)).start()
        #expect(await client.settled() == .waiting(.posix(.ETIMEDOUT)))
    }

    @Test func aCancelledConnectionEndsWhatWaits() async throws {
        let server = try PeerProcess(PeerProcess.echo)
        let client = ObservedConnection(to: server.port).start()
        #expect(await client.settled() == .ready)
        async let received = client.receive()
        // The request has to be there before it is cancelled.
        #expect(await client.send("a") == nil)
        #expect(await received.text == "a")
        async let further = client.receive()
        client.connection.cancel()
        #expect(await further.error == .posix(.ECANCELED))
        #expect(await client.next() == .cancelled)
        #expect(await client.send("b") == .posix(.ECANCELED))
    }

    @Test func aBrokenConnectionFails() async throws {
        let server = try PeerProcess(
            """
            import socket, struct
            s = socket.create_server(("127.0.0.1", 0))
            print(s.getsockname()[1])
            c, _ = s.accept()
            c.recv(1)
            c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            c.close()
            threading.Event().wait()
            """)
        let client = ObservedConnection(to: server.port).start()
        #expect(await client.settled() == .ready)
        async let received = client.receive()
        #expect(await client.send("x") == nil)
        #expect(await received.error == .posix(.ECONNRESET))
        #expect(await client.next() == .failed(.posix(.ECONNRESET)))
    }

    @Test func datagramsAreMessages() async throws {
        let server = try PeerProcess(PeerProcess.datagrams)
        let client = ObservedConnection(to: server.port, using: .udp).start()
        #expect(await client.settled() == .ready)
        #expect(await client.send("one") == nil)
        #expect(await client.receiveMessage().received == ObservedConnection.Received(text: "one", isComplete: true))
        #expect(await client.send("three") == nil)
        #expect(await client.receive(1, 2) == ObservedConnection.Received(text: "th"))
        #expect(await client.receive(1, 9) == ObservedConnection.Received(text: "ree", isComplete: true))
    }

    @Test func aDatagramNobodyTakesIsAnError() async throws {
        let server = try PeerProcess(PeerProcess.datagrams)
        await server.stop()
        let client = ObservedConnection(to: server.port, using: .udp).start()
        #expect(await client.settled() == .ready)
        async let received = client.receiveMessage()
        _ = await client.send("one")
        #expect(await received.received.error == .posix(.ECONNREFUSED))
        #expect(await client.next() == .failed(.posix(.ECONNREFUSED)))
    }

    @Test func aNameThatDoesNotExistIsWaitedFor() async {
        let client = ObservedConnection(NWConnection(host: "no-such-host.invalid", port: 80, using: .tcp)).start()
        guard case .waiting(.dns)? = await client.settled() else {
            Issue.record("\(client.connection.state)")
            return
        }
    }

    @Test func messagesOfAWebSocket() async throws {
        let server = try PeerProcess(PeerProcess.webSocket)
        let options = NWProtocolWebSocket.Options()
        options.setAdditionalHeaders([("X-Test", "yes")])
        let parameters = NWParameters.tcp
        parameters.defaultProtocolStack.applicationProtocols.insert(options, at: 0)
        let url = try #require(URL(string: "ws://127.0.0.1:\(server.port)/chat?a=1"))
        let client = ObservedConnection(NWConnection(to: .url(url), using: parameters)).start()
        #expect(await client.settled() == .ready)
        let greeting = await client.receiveMessage()
        #expect(greeting.received.text == "GET /chat?a=1 HTTP/1.1|yes")
        #expect(greeting.opcode == .text)
        let text = NWConnection.ContentContext(
            identifier: "text", metadata: [NWProtocolWebSocket.Metadata(opcode: .text)])
        #expect(await client.send("hello", text) == nil)
        let echoed = await client.receiveMessage()
        #expect(echoed.received == ObservedConnection.Received(text: "hello", isComplete: true))
        #expect(echoed.opcode == .text)
        let ping = NWProtocolWebSocket.Metadata(opcode: .ping)
        let (pongs, feed) = AsyncStream.makeStream(of: NWError?.self)
        ping.setPongHandler(client.queue) { feed.yield($0) }
        #expect(await client.send("p", NWConnection.ContentContext(identifier: "ping", metadata: [ping])) == nil)
        var pong = pongs.makeAsyncIterator()
        #expect(await pong.next() == .some(nil))
    }
}
