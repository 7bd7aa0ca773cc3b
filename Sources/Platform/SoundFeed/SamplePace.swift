import Glibc

/// When blocks of samples are due, by a monotonic clock.
///
/// By the beginning and not from one block to the next, so that what is a little late is caught up with: in the long run there are
/// as many samples a second as there have to be.
package struct SamplePace: Sendable {
    /// What is later than this is not caught up with, in nanoseconds.
    private static let longestDelay: UInt64 = 1_000_000_000

    /// Frames in a second, and in a block.
    package let rate: UInt64
    package let blockLength: UInt64
    private var begin: UInt64 = 0
    /// Since then.
    private var frames: UInt64 = 0
    private var soonest: UInt64 = 0

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

    /// When the next block is due, in nanoseconds: after one that was late not much sooner than otherwise, as programs need that
    /// time to come by what they play next.
    package var next: UInt64 { max(planned, soonest) }

    private var planned: UInt64 { begin + frames * 1_000_000_000 / rate }

    /// Whether a block is due; if so, the next one is due a block later.
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

    /// The next block is due now: nothing is caught up with.
    package mutating func restart(at now: UInt64) {
        begin = now
        frames = 0
    }
}
