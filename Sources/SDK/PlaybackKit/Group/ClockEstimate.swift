/// An estimate of the offset of a device's clock from the host clock, from readings of it. A value without I/O, in
/// seconds.
///
/// The answer was true at some time between the request and its arrival, so half of the round trip is the uncertainty
/// of an exchange. The shortest of the last exchanges counts, unless it is so old that drift could exceed its
/// advantage.
struct ClockEstimate: Sendable, Hashable {
    /// The assumed drift between two clocks in seconds per second, more than that of quartz.
    private static let drift = 0.0005
    private static let memory = 8
    /// The time between two comparisons of the clocks.
    static let interval = Duration.seconds(4)

    private var exchanges: [ClockExchange] = []

    mutating func add(_ exchange: ClockExchange) {
        guard exchange.received >= exchange.sent, exchange.remote.isFinite else { return }
        exchanges = exchanges.suffix(Self.memory - 1) + [exchange]
    }

    /// Returns the offset of the device's clock from the local one and its uncertainty; `nil` before the first
    /// exchange.
    func offset(at now: Double) -> (value: Double, uncertainty: Double)? {
        exchanges.map { ($0.offset, $0.uncertainty + Self.drift * max(0, now - $0.received)) }
            .min { $0.1 < $1.1 }.map { (value: $0.0, uncertainty: $0.1) }
    }
}

extension ClockExchange {
    fileprivate var offset: Double { remote - (sent + received) / 2 }
    fileprivate var uncertainty: Double { (received - sent) / 2 }
}
