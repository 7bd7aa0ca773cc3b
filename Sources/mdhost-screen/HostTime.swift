import Glibc
import ScreenEncoding

/// The clock of samples, `CLOCK_MONOTONIC`, at the times of captured pictures and sound.
enum HostTime {
    /// Returns the time in nanoseconds.
    ///
    /// - Parameter time: On the clock of ``TimedPicture``, in microseconds; not long ago.
    static func nanoseconds(at time: Int64) -> UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let ago = TimedPicture.now - time
        return UInt64(max(0, Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec) - ago * 1_000))
    }
}
