import HostInterface

/// Where a player is, and where its clients believe it is: they go on from what they were told by status and rate alone.
struct PlayerClock: Sendable, Hashable {
    /// Seconds; below it nobody notices.
    static let tolerance = 0.5

    private let track: String
    private let playback: MediaPlayback?
    private let end: Double?
    /// What clients go on from.
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

    /// The position, in seconds.
    func position(at now: Double) -> Double { playback?.position(at: now, duration: end) ?? 0 }

    /// Whether clients that heard of `self` and then of the properties of `next` are wrong about its position.
    func jumps(to next: PlayerClock, now: Double) -> Bool {
        // On another track clients begin at its beginning.
        let expected = track == next.track ? believed(at: now) : 0
        return abs(expected - next.position(at: now)) > Self.tolerance
    }

    private func believed(at now: Double) -> Double {
        let moved = believed.value + believedRate * max(0, now - believed.hostTime)
        return min(max(0, moved), end ?? .infinity)
    }

    /// The next view's clock: without a jump clients go on from what they believed.
    func followed(by view: PlayerView, now: Double) -> (clock: PlayerClock, jumps: Bool) {
        let next = PlayerClock(view, now: now)
        return (next, jumps(to: next, now: now))
    }
}
