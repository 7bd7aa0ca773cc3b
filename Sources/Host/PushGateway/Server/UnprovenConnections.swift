import NIOCore
import NIOSSL
import Synchronization

/// The connections over which nothing was accepted yet, in the order in which they came.
///
/// At the limit one of them makes room for a new one, so whoever has no provider token can't keep out those who do. It is the
/// oldest one of the peer that has the most, so a sender with one connection stays while others open many.
final class UnprovenConnections: Sendable {
    private struct State {
        var connections: [(peer: String, channel: any Channel)] = []
        var counts: [String: Int] = [:]

        mutating func remove(at index: Int) -> any Channel {
            let (peer, channel) = connections.remove(at: index)
            let count = counts[peer] ?? 1
            counts[peer] = count > 1 ? count - 1 : nil
            return channel
        }
    }

    private let state = Mutex(State())

    func add(_ channel: any Channel, of peer: String) {
        state.withLock { state in
            state.connections.append((peer, channel))
            state.counts[peer, default: 0] += 1
        }
    }

    /// Something was accepted over it, or it ended.
    func remove(_ channel: any Channel) {
        state.withLock { state in
            guard let index = state.connections.firstIndex(where: { $0.channel === channel }) else { return }
            _ = state.remove(at: index)
        }
    }

    func closeOne() {
        let channel = state.withLock { state -> (any Channel)? in
            let most = state.counts.values.max()
            guard let index = state.connections.firstIndex(where: { state.counts[$0.peer] == most }) else { return nil }
            return state.remove(at: index)
        }
        guard let channel else { return }
        channel.eventLoop.execute {
            // Past TLS, which would wait five seconds for the peer's consent, and hold the place for so long.
            let tls = try? channel.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
            if let tls { tls.close(promise: nil) } else { channel.close(promise: nil) }
        }
    }
}
