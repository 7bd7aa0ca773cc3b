public import NIOCore
import Synchronization

/// A connection that was accepted, and that may never be served.
public final class AcceptedConnection<Inbound: Sendable, Outbound: Sendable>: Sendable {
    private let connection: Mutex<NIOAsyncChannel<Inbound, Outbound>?>

    /// Wraps a connection, on its event loop.
    ///
    /// - Throws: An error of the channel if it is closed already.
    public init(
        _ channel: any Channel, configuration: NIOAsyncChannel<Inbound, Outbound>.Configuration = .init()
    ) throws {
        connection = Mutex(try NIOAsyncChannel(wrappingChannelSynchronously: channel, configuration: configuration))
    }

    // A server that ends drops those that still wait, and NIO ends the process if one of them isn't closed in order.
    deinit {
        if let connection = take() { Task { try? await connection.executeThenClose { _, _ in } } }
    }

    /// Returns the connection once; whoever takes it serves it.
    func take() -> NIOAsyncChannel<Inbound, Outbound>? { connection.withLock { $0.take() } }
}

extension NIOAsyncChannelInboundStream {
    /// Serves each connection in a task of its own, until the task is cancelled or the listening socket is closed.
    ///
    /// - Parameters:
    ///   - limit: The number of connections at a time. Further ones wait in the system's queue, which refuses what it has no
    ///     room for.
    ///   - body: Serves one connection to its end.
    /// - Throws: The error that ended listening.
    public func serve<Input: Sendable, Output: Sendable>(
        atMost limit: Int = 64, _ body: @escaping @Sendable (NIOAsyncChannel<Input, Output>) async -> Void
    ) async throws where Element == AcceptedConnection<Input, Output> {
        try await withThrowingTaskGroup { clients in
            var count = 0
            for try await accepted in self {
                clients.addTask { if let connection = accepted.take() { await body(connection) } }
                count += 1
                if count >= limit { try await clients.next() }
            }
        }
    }
}
