/// Notices that the machine slept: one clock stood still meanwhile, the other went on.
///
/// On Linux `ContinuousClock` is `CLOCK_BOOTTIME` and `SuspendingClock` is `CLOCK_MONOTONIC`.
struct SuspensionDetector: Sendable {
    private var continuous: ContinuousClock.Instant
    private var suspending: SuspendingClock.Instant

    /// Shorter differences are those of two readings.
    static let threshold = Duration.seconds(1)

    init(continuous: ContinuousClock.Instant = .now, suspending: SuspendingClock.Instant = .now) {
        self.continuous = continuous
        self.suspending = suspending
    }

    /// Whether it slept since the last call.
    mutating func notice(
        continuous now: ContinuousClock.Instant = .now, suspending awake: SuspendingClock.Instant = .now
    )
        -> Bool
    {
        defer { (continuous, suspending) = (now, awake) }
        return continuous.duration(to: now) - suspending.duration(to: awake) > Self.threshold
    }
}
