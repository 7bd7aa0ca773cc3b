/// A bucket of requests that refills over time.
struct RateLimit: Sendable {
    private let capacity: Double
    private let perSecond: Double
    private var level: Double
    private var time: Double

    init(capacity: Double, perSecond: Double, now: Double) {
        self.capacity = capacity
        self.perSecond = perSecond
        level = capacity
        time = now
    }

    /// Takes one request.
    ///
    /// - Returns: `false` if there are none left.
    mutating func take(now: Double) -> Bool {
        level = min(capacity, level + max(0, now - time) * perSecond)
        time = max(time, now)
        guard level >= 1 else { return false }
        level -= 1
        return true
    }

    /// A bucket that is full again needs not be kept.
    func isFull(now: Double) -> Bool { level + max(0, now - time) * perSecond >= capacity }
}
