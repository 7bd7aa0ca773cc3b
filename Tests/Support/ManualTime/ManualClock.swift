import Synchronization

/// A clock that stands until a test moves it.
package final class ManualClock: Clock, Sendable {
    package struct Instant: InstantProtocol {
        package var offset: Duration
        package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        package func duration(to other: Instant) -> Duration { other.offset - offset }
        package static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    private struct Sleeper {
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var nextIdentifier = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        /// The number of sleeps that have begun.
        var begun = 0
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    package init() {}

    package var now: Instant { state.withLock { $0.now } }
    package var minimumResolution: Duration { .nanoseconds(1) }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let identifier = state.withLock { state in
            state.nextIdentifier += 1
            return state.nextIdentifier
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let ready = state.withLock { state -> [CheckedContinuation<Void, Never>] in
                    guard !state.cancelled.contains(identifier) else {
                        continuation.resume(throwing: CancellationError())
                        return []
                    }
                    state.sleepers[identifier] = Sleeper(deadline: deadline, continuation: continuation)
                    state.begun += 1
                    let ready = state.waiters.filter { $0.count <= state.begun }.map(\.continuation)
                    state.waiters.removeAll { $0.count <= state.begun }
                    return ready
                }
                for waiter in ready { waiter.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.cancelled.insert(identifier)
                return state.sleepers.removeValue(forKey: identifier)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Returns once the `count`-th sleep has begun.
    package func slept(times count: Int) async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.begun >= count { return true }
                state.waiters.append((count, continuation))
                return false
            }
            if isDone { continuation.resume() }
        }
    }

    package func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for identifier in due.keys { state.sleepers[identifier] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }
}
