import HostCore

/// The course of a medium that is delivered: its next frame, the time of that, and a person's commands. Without I/O.
///
/// The extension gets one sequence of frames. A pause delays the following ones, and a seek changes their content.
struct MediaTimeline: Sendable, Hashable {
    private let rate: Int
    private var schedule: SampleSchedule
    /// The frame of the medium that is delivered next.
    private var place: Int64 = 0
    /// The number of frames; `nil` for a medium without an end.
    private var length: Int64?
    private var order: Int64?
    private(set) var isPlaying = true
    /// A Boolean value that indicates whether the medium doesn't arrive in time.
    private var isWaiting = true

    init(rate: Int) {
        self.rate = rate
        schedule = SampleSchedule(rate: rate)
    }

    /// The frames that were delivered, in all.
    var frame: UInt64 { schedule.frame }

    /// The position, for the listener of a device without latency.
    var position: MediaPosition {
        let runs = isPlaying && !isWaiting
        let base = runs ? place - Int64(schedule.since) : place
        return MediaPosition(
            seconds: Double(base) / Double(rate), time: (runs ? schedule.begin : schedule.next) ?? 0,
            isPlaying: isPlaying, isWaiting: isWaiting)
    }

    // MARK: Commands

    /// - Parameter duration: In seconds.
    mutating func opened(duration: Double?) { length = duration.map { Int64($0 * Double(rate)) } }

    mutating func setPlaying(_ isPlaying: Bool, at now: UInt64) {
        guard isPlaying != self.isPlaying else { return }
        self.isPlaying = isPlaying
        if isPlaying { schedule.restart(at: now) }
    }

    /// Continues at another position. The frames that were delivered are heard before it.
    mutating func seek(toSeconds seconds: Double, at now: UInt64) {
        let limit = Double(length ?? .max / 2)
        place = Int64(min(max(0, seconds * Double(rate)), limit))
        order = place
        if schedule.begin != nil { schedule.restart(at: now) }
    }

    // MARK: The delivery

    /// Takes the frame at which the medium has to be read on; `nil` for the next one.
    mutating func takeOrder() -> Int64? { order.take() }

    /// Returns the time of the next frame, in nanoseconds; `nil` if it isn't to be delivered now.
    ///
    /// - Parameter now: The time at which it was there, in nanoseconds.
    mutating func time(at now: UInt64) -> UInt64? {
        guard isPlaying, order == nil else { return nil }
        isWaiting = false
        return schedule.due(at: now)
    }

    /// Counts frames that were delivered, perhaps while a command came.
    mutating func delivered(_ frames: Int) {
        schedule.count(frames)
        guard order == nil else { return schedule.restart(at: 0) }
        place += Int64(frames)
    }

    /// Returns the nanoseconds until the medium counts as late; `nil` if it does already, or nothing is expected.
    func patience(at now: UInt64) -> UInt64? {
        guard !isWaiting, let next = schedule.next else { return nil }
        let limit = next + SampleSchedule.longestDelay
        return limit > now ? limit - now : 0
    }

    /// Records that the medium is late.
    mutating func waited(until now: UInt64) { if patience(at: now) == 0 { isWaiting = true } }

    /// Returns the nanoseconds until the delivered frames are over.
    func rest(at now: UInt64) -> UInt64 { schedule.next.map { $0 > now ? $0 - now : 0 } ?? 0 }
}
