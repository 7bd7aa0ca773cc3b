import ConnectionLimits
import Synchronization

/// Admits the streams of one connection.
///
/// Unfinished requests of strangers can take all places that there are for streams. So that they keep nobody out, one stream of
/// a connection needs none, and neither does a connection that a push was accepted over: those are bounded by the number of
/// connections, and by that of the streams of each.
final class StreamAdmission: Sendable {
    private struct State {
        var isProven = false
        var hasOwnPlace = true
    }

    private let shared: ConnectionLimit
    private let peer: String
    private let state = Mutex(State())

    init(_ shared: ConnectionLimit, peer: String) {
        self.shared = shared
        self.peer = peer
    }

    /// A push was accepted over the connection.
    func prove() { state.withLock { $0.isProven = true } }

    /// - Returns: What is to be called at the end of the stream; `nil` if there is no place for it.
    func admit() -> (@Sendable () -> Void)? {
        let place = state.withLock { state -> (@Sendable () -> Void)? in
            if state.isProven { return {} }
            guard state.hasOwnPlace else { return nil }
            state.hasOwnPlace = false
            return { self.state.withLock { $0.hasOwnPlace = true } }
        }
        if let place { return place }
        guard shared.admit(peer) else { return nil }
        return { [shared, peer] in shared.leave(peer) }
    }
}
