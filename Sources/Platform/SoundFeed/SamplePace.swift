import Glibc

/// The schedule of sample blocks on a monotonic clock.
///
/// Counts from the beginning, not from one block to the next, so that small delays are caught up with and the average
/// rate stays exact.
package struct SamplePace: Sendable {
    /// The longest delay that is caught up with, in nanoseconds.
    private static let longestDelay: UInt64 = 1_000_000_000

    /// Frames in a second, and in a block.
    package let rate: UInt64
    package let blockLength: UInt64
    private var begin: UInt64 = 0
    /// Since then.
    private var frames: UInt64 = 0
    private var soonest: UInt64 = 0
    /// Of a frame, in parts of one of the other rate: what blocks of that rate were longer than was counted.
    private var remainder: UInt64 = 0

    package init(rate: Int, blockLength: Int) {
        self.rate = UInt64(rate)
        self.blockLength = UInt64(blockLength)
    }

    /// The time by the clock that blocks are due by (`CLOCK_MONOTONIC`), in nanoseconds.
    package static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// The time at which the next block is due, in nanoseconds. After a late block it isn't much earlier than
    /// otherwise, because programs need that time to prepare their next block.
    package var next: UInt64 { max(planned, soonest) }

    private var planned: UInt64 { begin + frames * 1_000_000_000 / rate }

    /// Returns whether a block is due; if so, schedules the next one a block later.
    ///
    /// - Parameter now: In nanoseconds.
    package mutating func take(at now: UInt64) -> Bool {
        guard now >= next else { return false }
        passed(frames: Int(blockLength), at: now)
        return true
    }

    /// As many frames went on as that, of a block that was due: the next one is due when they are over.
    ///
    /// - Parameter now: In nanoseconds.
    package mutating func passed(frames: Int, at now: UInt64) {
        if now > planned + Self.longestDelay { restart(at: now) }
        self.frames += UInt64(frames)
        soonest = now + UInt64(frames) * 900_000_000 / rate
    }

    /// The same for a block of another rate, without an error that adds up.
    package mutating func passed(frames: Int, of otherRate: Int, at now: UInt64) {
        let length = UInt64(frames) * rate + remainder
        remainder = length % UInt64(otherRate)
        passed(frames: Int(length / UInt64(otherRate)), at: now)
    }

    /// Makes the next block due now and drops the backlog.
    package mutating func restart(at now: UInt64) {
        begin = now
        frames = 0
        remainder = 0
    }
}
