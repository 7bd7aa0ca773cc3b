import AirPlayProtocol
import Backoff

/// The schedule for the reconnection to a lost receiver.
struct Reconnection: Sendable, Hashable {
    /// The time after which playback ends.
    var limit = Duration.seconds(60)
    private var backoff = Backoff(from: .milliseconds(250), upTo: .seconds(4))
    private var waited = Duration.zero

    init(limit: Duration = .seconds(60)) { self.limit = limit }

    /// Returns the pause before the next attempt: 0.25 s, then doubled up to 4 s; `nil` after the limit.
    mutating func delay() -> Duration? {
        guard waited < limit else { return nil }
        let next = backoff.next()
        waited += next
        return next
    }
}

extension AirPlayError {
    /// A Boolean value that indicates whether a later attempt can succeed.
    var canPass: Bool {
        switch self {
        case .unreachable, .disconnected, .timedOut: true
        default: false
        }
    }
}
