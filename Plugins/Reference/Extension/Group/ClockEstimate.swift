/// How far a receiver's clock is ahead of this machine's, from exchanges of `clock`. A value without I/O; all in seconds.
///
/// What the receiver answered held somewhere between question and answer, so half of the round trip is how wrong an exchange
/// may be; the shortest of the last ones counts, unless it is so old that the clocks may have drifted apart by more.
struct ClockEstimate: Sendable, Hashable {
    /// One question and its answer.
    struct Exchange: Sendable, Hashable {
        /// On this machine's clock.
        var sent: Double
        var received: Double
        /// What the receiver answered.
        var remote: Double

        fileprivate var offset: Double { remote - (sent + received) / 2 }
        fileprivate var uncertainty: Double { (received - sent) / 2 }
    }

    /// How far two clocks may drift apart in a second: more than quartz does.
    private static let drift = 0.0005
    private static let memory = 8

    private var exchanges: [Exchange] = []

    mutating func add(_ exchange: Exchange) {
        guard exchange.received >= exchange.sent, exchange.remote.isFinite else { return }
        exchanges = exchanges.suffix(Self.memory - 1) + [exchange]
    }

    /// The receiver's clock less this machine's, and how wrong that may be; `nil` before the first exchange.
    func offset(at now: Double) -> (value: Double, uncertainty: Double)? {
        exchanges.map { ($0.offset, $0.uncertainty + Self.drift * max(0, now - $0.received)) }
            .min { $0.1 < $1.1 }.map { (value: $0.0, uncertainty: $0.1) }
    }
}
