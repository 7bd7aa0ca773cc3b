/// An estimate of the offset of a receiver's clock from the local one, from `clock` exchanges. A value without I/O, in
/// seconds.
///
/// The answer was true at some time between the request and its arrival, so half of the round trip is the uncertainty
/// of an exchange. The shortest of the last exchanges counts, unless it is so old that drift could exceed its
/// advantage.
struct ClockEstimate: Sendable, Hashable {
    /// One request for the clock and its answer.
    struct Exchange: Sendable, Hashable {
        /// The times of the request and the answer on the local clock.
        var sent: Double
        var received: Double
        /// The time of the receiver's answer on its own clock.
        var remote: Double

        fileprivate var offset: Double { remote - (sent + received) / 2 }
        fileprivate var uncertainty: Double { (received - sent) / 2 }
    }

    /// The assumed drift between two clocks in seconds per second, more than that of quartz.
    private static let drift = 0.0005
    private static let memory = 8

    private var exchanges: [Exchange] = []

    mutating func add(_ exchange: Exchange) {
        guard exchange.received >= exchange.sent, exchange.remote.isFinite else { return }
        exchanges = exchanges.suffix(Self.memory - 1) + [exchange]
    }

    /// Returns the offset of the receiver's clock from the local one and its uncertainty; `nil` before the first
    /// exchange.
    func offset(at now: Double) -> (value: Double, uncertainty: Double)? {
        exchanges.map { ($0.offset, $0.uncertainty + Self.drift * max(0, now - $0.received)) }
            .min { $0.1 < $1.1 }.map { (value: $0.0, uncertainty: $0.1) }
    }
}
