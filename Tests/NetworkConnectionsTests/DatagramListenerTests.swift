import Foundation
import NetworkConnections
import ObservedConnections
import Testing

@Suite(.timeLimit(.minutes(1))) struct DatagramListenerTests {
    /// A listener on UDP that notes its connections.
    private struct Server {
        let listener: NWListener
        let port: NWEndpoint.Port
        private let accepted: AsyncStream<ObservedConnection>

        init(_ change: (NWParameters) -> Void = { $0.acceptLocalOnly = true }) async throws {
            let parameters = NWParameters.udp
            change(parameters)
            listener = try NWListener(using: parameters)
            let (accepted, feed) = AsyncStream.makeStream(of: ObservedConnection.self)
            self.accepted = accepted
            listener.newConnectionHandler = { feed.yield(ObservedConnection($0)) }
            port = try await ListenerTests.start(listener)
        }

        func next() async throws -> ObservedConnection {
            for await connection in accepted { return connection }
            throw CancellationError()
        }
    }

    @Test func everyPeerIsAConnectionOfItsOwn() async throws {
        let server = try await Server()
        // Both have sent twice before either is read from.
        let peers = try [0, 1].map { _ in try PeerProcess(PeerProcess.datagramClient, ["\(server.port)"]) }
        let connections = try await [server.next(), server.next()]
        #expect(
            Set(connections.map(\.connection.endpoint))
                == Set(peers.map { .hostPort(host: .ipv4(.loopback), port: $0.port) }))
        for connection in connections {
            #expect(await connection.start().settled() == .ready)
            #expect(await connection.receiveMessage().received.text == "one")
            #expect(await connection.receiveMessage().received.text == "two")
        }
        for (number, connection) in connections.enumerated() {
            #expect(await connection.send("hi \(number)") == nil)
            #expect(await connection.receiveMessage().received.text == "got hi \(number)")
        }
        // One's end is not the other's, and a peer that writes again is a new connection.
        connections[0].connection.cancel()
        #expect(await connections[0].next() == .cancelled)
        #expect(await connections[1].send("still") == nil)
        #expect(await connections[1].receiveMessage().received.text == "got still")
        server.listener.cancel()
    }

    @Test func aPeerThatWritesAgainAfterItsConnectionIsCancelledIsNew() async throws {
        let server = try await Server()
        let client = ObservedConnection(to: server.port, using: .udp).start()
        #expect(await client.send("first") == nil)
        let first = try await server.next().start()
        #expect(await first.receiveMessage().received.text == "first")
        first.connection.cancel()
        while let state = await first.next(), state != .cancelled {}
        #expect(await client.send("again") == nil)
        let second = try await server.next().start()
        #expect(second.connection.endpoint == first.connection.endpoint)
        #expect(await second.receiveMessage().received.text == "again")
        server.listener.cancel()
    }

    @Test func theLimitCounts() async throws {
        let server = try await Server()
        server.listener.newConnectionLimit = 1
        let clients = [0, 1].map { _ in ObservedConnection(to: server.port, using: .udp).start() }
        #expect(await clients[0].send("a") == nil)
        let first = try await server.next().start()
        #expect(server.listener.newConnectionLimit == 0)
        #expect(await clients[1].send("lost") == nil)
        // The listener has read past the lost one when it answers this.
        #expect(await clients[0].send("b") == nil)
        #expect(await first.receiveMessage().received.text == "a")
        #expect(await first.receiveMessage().received.text == "b")
        server.listener.newConnectionLimit = 1
        #expect(await clients[1].send("kept") == nil)
        let second = try await server.next().start()
        #expect(["kept", "lost"].contains(await second.receiveMessage().received.text))
        server.listener.cancel()
    }

    @Test(arguments: ["127.0.0.1", "127.0.0.2", "::1"])
    func itAnswersFromTheAddressThatWasAsked(_ host: String) async throws {
        let server = try await Server { _ in }
        let client = ObservedConnection(
            NWConnection(host: NWEndpoint.Host(host), port: server.port, using: .udp)
        ).start()
        #expect(await client.send("ask") == nil)
        let peer = try await server.next().start()
        #expect(await peer.receiveMessage().received.text == "ask")
        // A connected client takes nothing from another address.
        #expect(await peer.send("answer") == nil)
        #expect(await client.receiveMessage().received.text == "answer")
        server.listener.cancel()
    }

    @Test func nobodyElseGetsThePort() async throws {
        let server = try await Server()
        let client = ObservedConnection(to: server.port, using: .udp).start()
        #expect(await client.send("a") == nil)
        let peer = try await server.next().start()
        #expect(await peer.receiveMessage().received.text == "a")
        let thief = NWParameters.udp
        (thief.acceptLocalOnly, thief.allowLocalEndpointReuse) = (true, true)
        let second = try NWListener(using: thief, on: server.port)
        let (states, feed) = AsyncStream.makeStream(of: NWListener.State.self)
        second.stateUpdateHandler = { feed.yield($0) }
        second.start(queue: DispatchQueue(label: "thief"))
        var told = states.makeAsyncIterator()
        #expect(await told.next() == .failed(.posix(.EADDRINUSE)))
        server.listener.cancel()
    }
}
