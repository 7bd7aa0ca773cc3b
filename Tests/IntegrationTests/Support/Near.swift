import Glibc

/// Returns whether a level is within half a percent of the wanted one: devices use whole percents.
func isNear(_ level: Double?, _ wanted: Double) -> Bool { level.map { abs($0 - wanted) < 0.005 } ?? false }

/// `CLOCK_MONOTONIC` in seconds, the clock of positions.
func monotonicNow() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
