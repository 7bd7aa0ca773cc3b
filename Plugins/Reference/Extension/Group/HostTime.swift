import Glibc

/// The local clock, on which playback positions are based.
enum HostTime {
    /// `CLOCK_MONOTONIC` in seconds.
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
