import HostCore
import HostInterface

/// The position of a player, and the one that its clients compute from status and rate.
struct PlayerClock: Sendable, Hashable {
    /// The tolerated difference in seconds.
    static let tolerance = 0.5

    private let track: String
    private let playback: MediaPlayback?
    private let end: Double?
    /// The position from which clients compute.
    private let believed: MediaPlayback.Position
    private let believedRate: Double

    /// - Parameter now: `CLOCK_MONOTONIC` in seconds.
    init(_ view: PlayerView, now: Double) {
        track = view.track
        playback = view.session.state.playback
        end = view.session.state.content?.end
        believedRate = view.status == "Playing" ? view.rate : 0
        believed = .init(value: playback?.position(at: now, duration: end) ?? 0, hostTime: now)
    }

    /// Returns the position in seconds.
    func position(at now: Double) -> Double { playback?.position(at: now, duration: end) ?? 0 }

    /// Returns a Boolean value that indicates whether clients that get the properties of `next` compute a wrong
    /// position.
    func jumps(to next: PlayerClock, now: Double) -> Bool {
        // On another track clients begin at its beginning.
        let expected = track == next.track ? believed(at: now) : 0
        return abs(expected - next.position(at: now)) > Self.tolerance
    }

    private func believed(at now: Double) -> Double {
        let moved = believed.value + believedRate * max(0, now - believed.hostTime)
        return min(max(0, moved), end ?? .infinity)
    }

    /// Returns the next clock. Without a jump, clients continue to compute from the earlier position.
    func followed(by view: PlayerView, now: Double) -> (clock: PlayerClock, jumps: Bool) {
        let next = PlayerClock(view, now: now)
        return (next, jumps(to: next, now: now))
    }
}
