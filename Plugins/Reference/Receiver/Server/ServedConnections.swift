import NIOCore

extension NIOAsyncChannelInboundStream where Element: Sendable {
    /// Serves each connection in a task of its own, until the task is cancelled or the listening socket is closed.
    ///
    /// - Parameters:
    ///   - limit: The number of connections at a time. Further ones wait in the system's queue, which refuses what it has no
    ///     room for.
    ///   - body: Serves one connection to its end.
    /// - Throws: The error that ended listening.
    public func serve(atMost limit: Int = 64, _ body: @escaping @Sendable (Element) async -> Void) async throws {
        try await withThrowingTaskGroup { clients in
            var count = 0
            for try await connection in self {
                clients.addTask { await body(connection) }
                count += 1
                if count >= limit { try await clients.next() }
            }
        }
    }
}
