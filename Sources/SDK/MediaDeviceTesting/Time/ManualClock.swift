import Synchronization

/// A clock that stands still until a test advances it. Pass it to code that takes `any Clock<Duration>`.
///
/// ```swift
/// let clock = ManualClock()
/// let player = Player(clock: clock)      // sleeps on it before it tries again
/// await clock.advance(by: .seconds(30))  // and tries again now
/// ```
public final class ManualClock: Clock, Sendable {
    /// A time of the clock, as the duration by which it was advanced.
    public struct Instant: InstantProtocol, CustomStringConvertible {
        /// The duration since the clock was created.
        public let offset: Duration

        init(offset: Duration) { self.offset = offset }

        /// Returns a later time.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// Returns the duration to another time.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Returns a Boolean value that indicates whether the first time is earlier.
        public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }

        /// The duration since the clock was created.
        public var description: String { "\(offset)" }
    }

    private struct Sleeper {
        let deadline: Instant
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var last = 0
        var sleepers: [Int: Sleeper] = [:]
        /// The sleeps that were cancelled before they started to wait.
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())

    /// Creates a clock at zero.
    public init() {}

    /// The current time of the clock.
    public var now: Instant { state.withLock { $0.now } }

    /// The resolution of the clock, one nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// The number of tasks that sleep on this clock.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Sleeps until the clock was advanced to a time.
    ///
    /// - Throws: `CancellationError`
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        let isDue = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    if state.cancelled.remove(number) != nil { return false }
                    if deadline <= state.now { return true }
                    state.sleepers[number] = Sleeper(deadline: deadline, continuation: continuation)
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: number)
                if sleeper == nil { state.cancelled.insert(number) }
                return sleeper
            }
            sleeper?.continuation.resume(returning: false)
        }
        guard isDue else { throw CancellationError() }
    }

    /// Advances the clock. It stops at every time for which a task sleeps, so that a task can sleep again and still
    /// wake in time. Before and after each stop, other tasks get a chance to run.
    public func advance(by duration: Duration) async {
        let end = now.advanced(by: duration)
        await Self.letOthersRun()
        while let next = wakeNext(before: end) {
            next.resume(returning: true)
            await Self.letOthersRun()
        }
        state.withLock { $0.now = max($0.now, end) }
    }

    private func wakeNext(before end: Instant) -> CheckedContinuation<Bool, Never>? {
        state.withLock { state in
            guard let next = state.sleepers.min(by: { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }),
                next.value.deadline <= end
            else { return nil }
            state.sleepers[next.key] = nil
            state.now = max(state.now, next.value.deadline)
            return next.value.continuation
        }
    }

    private static func letOthersRun() async {
        for _ in 0..<20 { await Task.yield() }
    }
}
