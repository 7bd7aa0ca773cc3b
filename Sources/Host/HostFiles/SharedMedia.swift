import NIOCore
import Synchronization

/// One file or stream on offer: who may fetch it, and the connections that do.
final class SharedMedia: Sendable {
    enum Content: Sendable {
        case file(OpenedFile)
        case stream(StreamFeed)
    }

    private struct State {
        var allowed: Set<NumericAddress>
        var isWithdrawn = false
        var wasFetched = false
        var transfers: [ObjectIdentifier: any Channel] = [:]
    }

    let content: Content
    let contentType: String
    private let state: Mutex<State>

    init(_ content: Content, contentType: String, to allowed: Set<NumericAddress>) {
        self.content = content
        self.contentType = contentType
        state = Mutex(State(allowed: allowed))
    }

    /// Whether the device has asked for it at least once.
    var wasFetched: Bool { state.withLock { $0.wasFetched } }

    /// Answers that are under way.
    var transferCount: Int { state.withLock { $0.transfers.count } }

    /// Lets others have it, too.
    func admit(_ addresses: [NumericAddress]) { state.withLock { $0.allowed.formUnion(addresses) } }

    /// Whether the peer may fetch it now.
    func isFor(_ peer: NumericAddress) -> Bool {
        state.withLock { !$0.isWithdrawn && $0.allowed.contains(peer) }
    }

    /// Notes the beginning of an answer.
    ///
    /// - Returns: `false` if the peer may not have it, or nobody may any more.
    func begin(_ channel: any Channel) -> Bool {
        guard let peer = NumericAddress(channel.remoteAddress) else { return false }
        return state.withLock { state in
            guard !state.isWithdrawn, state.allowed.contains(peer) else { return false }
            state.wasFetched = true
            state.transfers[ObjectIdentifier(channel)] = channel
            return true
        }
    }

    func end(_ channel: any Channel) {
        state.withLock { $0.transfers[ObjectIdentifier(channel)] = nil }
    }

    /// Nothing begins afterwards, and what is under way is cut.
    func withdraw() {
        let channels = state.withLock { state in
            state.isWithdrawn = true
            defer { state.transfers = [:] }
            return Array(state.transfers.values)
        }
        for channel in channels { channel.close(promise: nil) }
        if case .stream(let feed) = content { feed.end() }
    }
}
