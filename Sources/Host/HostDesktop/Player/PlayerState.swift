import DBus
import HostCore
import HostInterface
import Synchronization

/// What one player shows now, for those who ask on its loop.
final class PlayerState: Sendable {
    private let state: Mutex<(view: PlayerView, clock: PlayerClock)>

    init(_ view: PlayerView) { state = Mutex((view, PlayerClock(view, now: MonotonicTime.now))) }

    var view: PlayerView { state.withLock { $0.view } }

    /// Seconds.
    var position: Double { state.withLock { $0.clock.position(at: MonotonicTime.now) } }

    /// - Returns: Whether clients have to be told the position.
    func show(_ view: PlayerView) -> Bool {
        state.withLock { state in
            let (clock, jumps) = state.clock.followed(by: view, now: MonotonicTime.now)
            state = (view, clock)
            return jumps
        }
    }
}
