import NIOCore
import NIOPosix
import ReferenceReceiver
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct ServedConnectionsTests {
    private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    private typealias Accepted = AcceptedConnection<ByteBuffer, ByteBuffer>

    private static func accepted(_ channel: any Channel) -> EventLoopFuture<Accepted> {
        channel.eventLoop.makeCompletedFuture { try Accepted(channel) }
    }

    private static func connection(_ channel: any Channel) -> EventLoopFuture<Connection> {
        channel.eventLoop.makeCompletedFuture { try Connection(wrappingChannelSynchronously: channel) }
    }

    /// Clients that connect and say nothing keep others waiting, but never take more than their part.
    @Test func furtherConnectionsWaitForRoom() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let server = try await ServerBootstrap(group: group).bind(
            host: "127.0.0.1", port: 0, childChannelInitializer: Self.accepted)
        let port = try #require(server.channel.localAddress?.port)
        let counts = Mutex((now: 0, most: 0))
        let serving = Task {
            try await server.executeThenClose { connections in
                try await connections.serve(atMost: 4) { connection in
                    counts.withLock { counts in
                        counts.now += 1
                        counts.most = max(counts.most, counts.now)
                    }
                    try? await connection.executeThenClose { inbound, outbound in
                        try await outbound.write(ByteBuffer(string: "hello"))
                        for try await _ in inbound {}
                    }
                    counts.withLock { $0.now -= 1 }
                }
            }
        }
        var clients: [Connection] = []
        for _ in 0..<12 {
            clients.append(
                try await ClientBootstrap(group: group).connect(
                    host: "127.0.0.1", port: port, channelInitializer: Self.connection))
        }
        // Each leaves when it has been greeted, which makes room for the next.
        for client in clients {
            try await client.executeThenClose { inbound, _ in
                var greeting = inbound.makeAsyncIterator()
                let words = try await greeting.next()
                #expect(words == ByteBuffer(string: "hello"))
            }
        }
        #expect(counts.withLock { $0.most } == 4)
        serving.cancel()
        _ = await serving.result
    }

    /// NIO ends the process for a connection that was accepted and is dropped as it is.
    @Test func aServerEndsWhileConnectionsWait() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let server = try await ServerBootstrap(group: group).bind(
            host: "127.0.0.1", port: 0, childChannelInitializer: Self.accepted)
        let port = try #require(server.channel.localAddress?.port)
        let (served, feed) = AsyncStream.makeStream(of: Void.self)
        let serving = Task {
            try await server.executeThenClose { connections in
                try await connections.serve(atMost: 1) { connection in
                    feed.yield()
                    try? await connection.executeThenClose { inbound, _ in for try await _ in inbound {} }
                }
            }
        }
        var clients: [any Channel] = []
        for _ in 0..<4 {
            clients.append(try await ClientBootstrap(group: group).connect(host: "127.0.0.1", port: port).get())
        }
        for await _ in served { break }
        serving.cancel()
        _ = await serving.result
        // None is left open, whether it was served or not.
        for client in clients { try await client.closeFuture.get() }
    }
}
