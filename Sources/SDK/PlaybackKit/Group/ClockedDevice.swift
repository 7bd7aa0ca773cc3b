/// A device with a readable clock, which can therefore act at a given time, in step with others.
@MainActor
public protocol ClockedDevice: AnyObject {
    /// Reads the device's clock once.
    ///
    /// The kit calls it a few times in a row and again every few seconds, because clocks drift. The shortest round trip
    /// counts, so note the times as close to the socket as possible.
    ///
    /// - Returns: The exchange; `nil` if the device didn't answer.
    func readClock() async -> ClockExchange?
}

extension ClockedDevice {
    /// Returns up to four exchanges; fewer if the device doesn't answer.
    func readClockRepeatedly() async -> [ClockExchange] {
        var exchanges: [ClockExchange] = []
        for _ in 0..<4 {
            guard let exchange = await readClock() else { break }
            exchanges.append(exchange)
        }
        return exchanges
    }
}

/// One request for the time of a device's clock, and its answer. In seconds.
public struct ClockExchange: Sendable, Hashable {
    /// The time of the request on the host clock (`CMClockGetHostTimeClock()`).
    public var sent: Double
    /// The time of the answer's arrival on the host clock. An exchange that was answered before it was sent is ignored.
    public var received: Double
    /// The time of the answer on the device's own clock, whose origin is arbitrary. The clock must neither stop nor be
    /// set while the device is in use.
    public var remote: Double

    /// Creates an exchange.
    public init(sent: Double, received: Double, remote: Double) {
        self.sent = sent
        self.received = received
        self.remote = remote
    }
}
