/// Keeps one sender from taking more than its share: a token bucket an address.
package struct SSDPRateLimiter: Sendable {
    private struct Bucket {
        var tokens: Double
        var filled: ContinuousClock.Instant
    }

    /// Datagrams a second in the long run, and at once.
    package let rate: Double
    package let burst: Double
    package static let maximumSenders = 1_024
    private var buckets: [String: Bucket] = [:]

    package init(rate: Double = 100, burst: Double = 500) {
        self.rate = rate
        self.burst = burst
    }

    package var senders: Int { buckets.count }

    /// Returns whether a datagram of `sender` may be processed. Senders beyond ``maximumSenders`` share one bucket.
    package mutating func admit(_ sender: String, now: ContinuousClock.Instant) -> Bool {
        if buckets[sender] == nil, buckets.count >= Self.maximumSenders {
            buckets = buckets.filter { level($0.value, now: now) < burst }
        }
        let key = buckets[sender] != nil || buckets.count < Self.maximumSenders ? sender : ""
        let tokens = buckets[key].map { level($0, now: now) } ?? burst
        guard tokens >= 1 else { return false }
        buckets[key] = Bucket(tokens: tokens - 1, filled: now)
        return true
    }

    private func level(_ bucket: Bucket, now: ContinuousClock.Instant) -> Double {
        let elapsed = bucket.filled.duration(to: now) / .seconds(1)
        return min(burst, bucket.tokens + max(0, elapsed) * rate)
    }
}
