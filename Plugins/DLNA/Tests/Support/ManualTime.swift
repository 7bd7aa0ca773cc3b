import Synchronization

@testable import DLNAExtension

/// A clock that moves only when a test advances it.
final class ManualTime: Sendable {
    private struct Sleeper {
        var deadline: Duration
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Duration.seconds(1000)
        var next = 0
        var sleepers: [Int: Sleeper] = [:]
    }

    private let state = Mutex(State())

    var time: MonotonicTime {
        MonotonicTime(now: { self.state.withLock(\.now) }, sleep: { try await self.sleep($0) })
    }

    /// The same time as a clock.
    var clock: any Clock<Duration> { ManualTimeClock(manual: self) }

    /// The time until the next sleeper wakes; `nil` without sleepers.
    var nextPause: Duration? {
        state.withLock { state in state.sleepers.values.map(\.deadline).min().map { $0 - state.now } }
    }

    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for key in due.keys { state.sleepers[key] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    fileprivate func sleep(_ duration: Duration) async throws {
        let key = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { state in
                    state.sleepers[key] = Sleeper(deadline: state.now + duration, continuation: continuation)
                }
                // Cancelled before it was in the list.
                if Task.isCancelled { wake(key) }
            }
        } onCancel: {
            wake(key)
        }
    }

    private func wake(_ key: Int) {
        state.withLock { $0.sleepers.removeValue(forKey: key) }?.continuation.resume(throwing: CancellationError())
    }
}

private struct ManualTimeClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    let manual: ManualTime

    var now: Instant { Instant(offset: manual.time.now()) }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await manual.sleep(deadline.offset - manual.time.now())
    }
}
