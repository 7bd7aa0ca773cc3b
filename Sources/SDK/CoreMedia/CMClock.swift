#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A source of time. On Linux there is one: the host clock.
public final class CMClock: Sendable {
    private init() {}

    /// The clock of this machine, `CLOCK_MONOTONIC`: the same for all its processes, never set, and stopped while the
    /// machine sleeps.
    public static let hostTimeClock = CMClock()

    /// The time now, in nanoseconds (timescale 1,000,000,000).
    public var time: CMTime {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return CMTime(
            value: CMTimeValue(now.tv_sec) * CMTimeValue(Self.nanosecondsPerSecond) + CMTimeValue(now.tv_nsec),
            timescale: Self.nanosecondsPerSecond)
    }

    private static let nanosecondsPerSecond: CMTimeScale = 1_000_000_000
}

/// The clock of this machine; see ``CMClock/hostTimeClock``.
public func CMClockGetHostTimeClock() -> CMClock { .hostTimeClock }

/// The time of a clock now.
public func CMClockGetTime(_ clock: CMClock) -> CMTime { clock.time }
