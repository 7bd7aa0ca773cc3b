import DBus
import HostCore
import HostInterface
import Synchronization

/// The current state of a player, for requests on its loop.
final class PlayerState: Sendable {
    private let state: Mutex<(view: PlayerView, clock: PlayerClock)>
    /// The calls without an answer yet, and the tasks that wait until there are none.
    private let calls = Mutex<(count: Int, waiters: [CheckedContinuation<Void, Never>])>((0, []))

    init(_ view: PlayerView) { state = Mutex((view, PlayerClock(view, now: MonotonicTime.now))) }

    var view: PlayerView { state.withLock { $0.view } }

    /// Seconds.
    var position: Double { state.withLock { $0.clock.position(at: MonotonicTime.now) } }

    /// Shows a state.
    ///
    /// - Returns: `true` if clients need the position.
    func show(_ view: PlayerView) -> Bool {
        state.withLock { state in
            let (clock, jumps) = state.clock.followed(by: view, now: MonotonicTime.now)
            state = (view, clock)
            return jumps
        }
    }

    func callBegan() { calls.withLock { $0.count += 1 } }

    func callAnswered() {
        let waiters = calls.withLock { calls in
            calls.count -= 1
            guard calls.count == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { calls.waiters = [] }
            return calls.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when no call waits for an answer; each has its deadline.
    func allAnswered() async {
        await withCheckedContinuation { continuation in
            let isDone = calls.withLock { calls in
                if calls.count > 0 { calls.waiters.append(continuation) }
                return calls.count == 0
            }
            if isDone { continuation.resume() }
        }
    }
}
