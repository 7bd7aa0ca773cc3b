/// Detects that the machine slept, from the difference between a clock that stops during sleep and one that doesn't.
///
/// On Linux, `ContinuousClock` is `CLOCK_BOOTTIME` and `SuspendingClock` is `CLOCK_MONOTONIC`.
struct SuspensionDetector: Sendable {
    private var continuous: ContinuousClock.Instant
    private var suspending: SuspendingClock.Instant

    /// The smallest difference that counts as sleep. Smaller ones come from reading the clocks one after the other.
    static let threshold = Duration.seconds(1)

    init(continuous: ContinuousClock.Instant = .now, suspending: SuspendingClock.Instant = .now) {
        self.continuous = continuous
        self.suspending = suspending
    }

    /// Returns a Boolean value that indicates whether the machine slept since the last call.
    mutating func notice(
        continuous now: ContinuousClock.Instant = .now, suspending awake: SuspendingClock.Instant = .now
    )
        -> Bool
    {
        defer { (continuous, suspending) = (now, awake) }
        return continuous.duration(to: now) - suspending.duration(to: awake) > Self.threshold
    }
}
