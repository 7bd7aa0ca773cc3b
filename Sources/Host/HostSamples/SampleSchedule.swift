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
    private var begin: UInt64?
    /// The frames since then.
    private var since: UInt64 = 0
    /// The frames before the next block, in all.
    private(set) var frame: UInt64 = 0

    init(rate: Int) { self.rate = UInt64(rate) }

    /// Returns the time of a block, and counts its frames.
    ///
    /// - Parameter now: The time at which the block was read, in nanoseconds.
    mutating func time(of frames: Int, at now: UInt64) -> UInt64 {
        let planned = (begin ?? now) + since * 1_000_000_000 / rate
        if begin == nil || now > planned + Self.longestDelay {
            begin = now
            since = 0
        }
        defer {
            since += UInt64(frames)
            frame += UInt64(frames)
        }
        return (begin ?? now) + since * 1_000_000_000 / rate
    }

    /// Returns the nanoseconds until a block may be delivered.
    static func pause(until time: UInt64, at now: UInt64) -> UInt64 { time > now + lead ? time - now - lead : 0 }
}
