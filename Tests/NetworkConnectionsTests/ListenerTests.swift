import Foundation
import NetworkConnections
import ObservedConnections
import Testing

@Suite(.timeLimit(.minutes(1))) struct ListenerTests {
    /// - Returns: The port, once it listens.
    static func start(_ listener: NWListener) async throws -> NWEndpoint.Port {
        let (states, feed) = AsyncStream.makeStream(of: NWListener.State.self)
        listener.stateUpdateHandler = { feed.yield($0) }
        listener.start(queue: DispatchQueue(label: "listener"))
        for await state in states {
            if state == .ready { break }
            try #require(state == .setup, "\(state)")
        }
        return try #require(listener.port)
    }

    private func local() -> NWParameters {
        let parameters = NWParameters.tcp
        parameters.acceptLocalOnly = true
        return parameters
    }

    @Test func connectionsAreTakenUpToTheLimit() async throws {
        let listener = try NWListener(using: local())
        listener.newConnectionLimit = 1
        let (accepted, feed) = AsyncStream.makeStream(of: ObservedConnection.self)
        listener.newConnectionHandler = { feed.yield(ObservedConnection($0).start()) }
        let port = try await Self.start(listener)
        let client = ObservedConnection(to: port).start()
        #expect(await client.settled() == .ready)
        var peers = accepted.makeAsyncIterator()
        let peer = try #require(await peers.next())
        #expect(await peer.settled() == .ready)
        #expect(await client.send("a", .finalMessage) == nil)
        let received = await peer.receive()
        #expect(received.text == "a")
        #expect(await peer.send("b") == nil)
        #expect(await client.receive().text == "b")
        #expect(listener.newConnectionLimit == 0)
        let second = ObservedConnection(to: port).start()
        // The kernel accepts it; the listener closes it at once.
        if await second.settled() == .ready { #expect(await second.receive().text == nil) }
        listener.cancel()
    }

    @Test func aPortThatIsTakenFails() async throws {
        let server = try PeerProcess(PeerProcess.echo)
        let listener = try NWListener(using: local(), on: server.port)
        listener.newConnectionHandler = { $0.cancel() }
        let (states, feed) = AsyncStream.makeStream(of: NWListener.State.self)
        listener.stateUpdateHandler = { feed.yield($0) }
        listener.start(queue: DispatchQueue(label: "listener"))
        var told = states.makeAsyncIterator()
        #expect(await told.next() == .failed(.posix(.EADDRINUSE)))
    }
}
