import Descriptors
import Synchronization

/// Counts the connections to a server, in total and by peer, and admits no more than its limits.
///
/// It also refuses a connection if only the descriptors of the ``DescriptorReserve`` are left.
package final class ConnectionLimit: Sendable {
    private struct State {
        var total = 0
        /// The most there were since memory was last given back.
        var peak = 0
        var peers: [String: Int] = [:]
    }

    private let total: Int
    private let perPeer: Int
    private let modest: Int?
    private let state = Mutex(State())

    /// - Parameter modest: The last eighth of the places is for peers with fewer connections than this, so that a few that take
    ///   all they can get keep out nobody else; `nil` where all places are for all.
    package init(total: Int, perPeer: Int, modest: Int? = nil) {
        self.total = total
        self.perPeer = perPeer
        self.modest = modest
    }

    /// The connections there are.
    package var count: Int { state.withLock(\.total) }

    /// - Parameter peer: The address or process that the connection comes from.
    /// - Returns: Whether the connection may stay; if so, call ``leave(_:)`` at its end.
    package func admit(_ peer: String) -> Bool {
        guard DescriptorReserve.hasRoom else { return false }
        return state.withLock { state in
            let count = state.peers[peer, default: 0]
            guard state.total < total, count < perPeer else { return false }
            if let modest, state.total >= total - total / 8, count >= modest { return false }
            state.total += 1
            state.peak = max(state.peak, state.total)
            state.peers[peer, default: 0] += 1
            return true
        }
    }

    /// A connection that was admitted ended.
    package func leave(_ peer: String) {
        let hasEbbed = state.withLock { state in
            guard let count = state.peers[peer] else { return false }
            state.total -= 1
            state.peers[peer] = count > 1 ? count - 1 : nil
            guard state.peak >= Self.many, state.total <= state.peak / 4 else { return false }
            state.peak = state.total
            return true
        }
        if hasEbbed { FreedMemory.giveBack() }
    }

    /// The number of connections whose memory is worth giving back.
    private static let many = 64
}
