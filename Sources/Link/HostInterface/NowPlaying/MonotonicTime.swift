import Glibc

/// `CLOCK_MONOTONIC`, the clock of every position that crosses a link.
package enum MonotonicTime {
    /// The current time in seconds.
    package static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
