import PlaybackKit

/// A clock that only moves forward, and waiting on it; tests bring their own.
struct MonotonicTime: Sendable {
    /// Since an arbitrary moment.
    var now: @Sendable () -> Duration
    /// Until that much time has passed, or the task is cancelled.
    var sleep: @Sendable (Duration) async throws -> Void

    /// The host clock, so that its times are host times of positions too.
    static let system = MonotonicTime(
        now: { .nanoseconds(CMClock.hostTimeClock.time.value) }, sleep: { try await Task.sleep(for: $0) })

    /// ``now`` in seconds.
    var seconds: Double { now() / .seconds(1) }
}
