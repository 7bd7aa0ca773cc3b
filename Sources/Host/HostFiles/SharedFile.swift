import NIOCore
import Synchronization

/// One file on offer: who may fetch it, and the connections that do.
final class SharedFile: Sendable {
    private struct State {
        var allowed: Set<NumericAddress>
        var isWithdrawn = false
        var wasFetched = false
        var transfers: [ObjectIdentifier: any Channel] = [:]
    }

    let file: OpenedFile
    let contentType: String
    private let state: Mutex<State>

    init(_ file: OpenedFile, to allowed: Set<NumericAddress>) {
        self.file = file
        state = Mutex(State(allowed: allowed))
        contentType = MediaType.of(file.name)
    }

    /// Whether the device has asked for it at least once.
    var wasFetched: Bool { state.withLock { $0.wasFetched } }

    /// Lets others have it, too.
    func admit(_ addresses: [NumericAddress]) { state.withLock { $0.allowed.formUnion(addresses) } }

    /// Notes the beginning of an answer.
    ///
    /// - Returns: `false` if the peer may not have the file, or nobody may any more.
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
    }
}
