import AirPlayProtocol

/// When to look again for a receiver that went away, and how long.
struct Reconnection: Sendable, Hashable {
    /// For how long; then what plays has ended.
    var limit = Duration.seconds(60)
    private var next = Duration.milliseconds(250)
    private var waited = Duration.zero

    init(limit: Duration = .seconds(60)) { self.limit = limit }

    /// How long to wait before the coming attempt: 0.25 s, then doubling up to 4 s; `nil` once it was long enough.
    mutating func delay() -> Duration? {
        guard waited < limit else { return nil }
        defer { next = min(next * 2, .seconds(4)) }
        waited += next
        return next
    }
}

extension AirPlayError {
    /// Whether it may pass by itself.
    var canPass: Bool {
        switch self {
        case .unreachable, .disconnected, .timedOut: true
        default: false
        }
    }
}
