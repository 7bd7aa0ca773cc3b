/// The times of live frames on a monotonic clock, and the time at which they may be delivered.
///
/// The first frame is played when it is read, and the others follow by their rate. A source that falls behind by more than
/// a second has paused: its next frame is played when it is read.
struct SampleSchedule: Sendable, Hashable {
    /// In nanoseconds.
    static let longestDelay: UInt64 = 1_000_000_000
    /// The time by which frames may be delivered early, in nanoseconds. A file, for example, is read faster than it is played.
    static let lead: UInt64 = 500_000_000

    private let rate: UInt64
    /// The time of an anchor, in nanoseconds, and the frames since then.
    private(set) var begin: UInt64?
    private(set) var since: UInt64 = 0
    /// The frames before the next block, in all.
    private(set) var frame: UInt64 = 0

    init(rate: Int) { self.rate = UInt64(rate) }

    /// The time of the next frame by the rate, in nanoseconds; `nil` before the first.
    var next: UInt64? { begin.map { $0 + since * 1_000_000_000 / rate } }

    /// Returns the time of a block, and counts its frames.
    ///
    /// - Parameter now: The time at which the block was read, in nanoseconds.
    mutating func time(of frames: Int, at now: UInt64) -> UInt64 {
        defer { count(frames) }
        return due(at: now)
    }

    /// Returns the time of the next frame, in nanoseconds.
    ///
    /// - Parameter now: The time at which it was read, in nanoseconds.
    mutating func due(at now: UInt64) -> UInt64 {
        if let next, now <= next + Self.longestDelay { return next }
        begin = now
        since = 0
        return now
    }

    mutating func count(_ frames: Int) {
        since += UInt64(frames)
        frame += UInt64(frames)
    }

    /// Makes the next frame due now, or after those that were counted if that is later.
    mutating func restart(at now: UInt64) {
        begin = max(now, next ?? 0)
        since = 0
    }

    /// Returns the nanoseconds until a block may be delivered.
    static func pause(until time: UInt64, at now: UInt64) -> UInt64 { time > now + lead ? time - now - lead : 0 }
}
