#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A source of time. Linux has only the host clock.
public final class CMClock: Sendable {
    private init() {}

    /// The clock of this computer, `CLOCK_MONOTONIC`. All processes share it; it can't be set, and it stops during
    /// sleep.
    public static let hostTimeClock = CMClock()

    /// The current time in nanoseconds (timescale 1,000,000,000).
    public var time: CMTime {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return CMTime(
            value: CMTimeValue(now.tv_sec) * CMTimeValue(Self.nanosecondsPerSecond) + CMTimeValue(now.tv_nsec),
            timescale: Self.nanosecondsPerSecond)
    }

    private static let nanosecondsPerSecond: CMTimeScale = 1_000_000_000
}

/// Returns the clock of this computer; see ``CMClock/hostTimeClock``.
public func CMClockGetHostTimeClock() -> CMClock { .hostTimeClock }

/// Returns the current time of a clock.
public func CMClockGetTime(_ clock: CMClock) -> CMTime { clock.time }
