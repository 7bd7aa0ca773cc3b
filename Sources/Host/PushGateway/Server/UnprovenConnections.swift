import NIOCore
import Synchronization

/// The connections over which nothing was accepted yet, in the order in which they came.
///
/// At the limit the oldest of them makes room for a new one: whoever has no provider token can't keep out those who do.
final class UnprovenConnections: Sendable {
    private let channels = Mutex<[any Channel]>([])

    func add(_ channel: any Channel) { channels.withLock { $0.append(channel) } }

    /// Something was accepted over it, or it ended.
    func remove(_ channel: any Channel) { channels.withLock { $0.removeAll { $0 === channel } } }

    func closeOldest() {
        let oldest = channels.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        oldest?.close(promise: nil)
    }
}
