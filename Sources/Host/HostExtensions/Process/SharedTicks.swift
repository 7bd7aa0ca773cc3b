/// Moments that all timers of one interval have in common, so that several of them wake the processor once.
enum SharedTicks {
    /// Waits until the next one.
    static func wait(_ interval: Duration) async throws {
        try await Task.sleep(for: next(interval, after: origin.duration(to: .now)))
    }

    /// Returns the time from `now` to the next multiple of `interval`.
    static func next(_ interval: Duration, after now: Duration) -> Duration {
        let (length, now) = (max(1, interval.nanoseconds), now.nanoseconds)
        return .nanoseconds(length - now % length)
    }

    private static let origin = ContinuousClock.now
}

extension Duration {
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
