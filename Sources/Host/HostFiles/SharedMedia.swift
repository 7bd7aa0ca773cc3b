import HostSockets
import NIOCore
import Synchronization

/// One file or stream on offer: who may fetch it, and the connections that do.
final class SharedMedia: Sendable {
    enum Content: Sendable {
        case file(OpenedFile)
        case stream(StreamFeed)
        case bytes([UInt8], OpenedFile.Facts)
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

    /// A Boolean value that indicates whether a device has requested the file.
    var wasFetched: Bool { state.withLock { $0.wasFetched } }

    /// The number of responses in progress.
    var transferCount: Int { state.withLock { $0.transfers.count } }

    /// Lets others have it, too.
    func admit(_ addresses: [NumericAddress]) { state.withLock { $0.allowed.formUnion(addresses) } }

    /// Returns a Boolean value that indicates whether the peer may fetch the file now.
    func isFor(_ peer: NumericAddress) -> Bool {
        state.withLock { !$0.isWithdrawn && $0.allowed.contains(peer) }
    }

    /// Records the start of a response.
    ///
    /// - Returns: `false` if the peer has no access, or the file was withdrawn.
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

    /// Withdraws the file: new requests fail, and responses in progress are aborted.
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
