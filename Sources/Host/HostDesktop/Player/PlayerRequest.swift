import HostCore
import HostInterface

/// A request of an MPRIS client, and its action on a media session.
enum PlayerRequest: Sendable, Hashable {
    case play, pause, playPause, stop, next, previous
    /// Seconds, counted from where playback is.
    case seek(by: Double)
    /// Seconds; the track is that the client believes to play.
    case setPosition(Double, track: String)
    case setRate(Double)
    /// `None`, `Track`, `Playlist`.
    case setLoopStatus(String)
    case setShuffle(Bool)

    /// Returns the action for a request.
    ///
    /// - Parameters:
    ///   - view: The current view.
    ///   - position: The current position in seconds.
    /// - Returns: `nil` if the specification requires no effect.
    /// - Throws: ``HostError`` `not-supported` if the session doesn't offer the action.
    func action(_ view: PlayerView, position: Double) throws(HostError) -> MediaAction? {
        let state = view.session.state
        let end = state.content?.end
        switch self {
        case .play: return try MediaWish.play.action(state, now: 0)
        case .pause: return try MediaWish.pause.action(state, now: 0)
        case .playPause: return try MediaWish.playPause.action(state, now: 0)
        case .stop: return try MediaWish.stop.action(state, now: 0)
        case .next: return try MediaWish.next.action(state, now: 0)
        case .previous: return try MediaWish.previous.action(state, now: 0)
        case .seek(let offset):
            guard state.enabled(.seekToPosition) != nil else { return skip(by: offset, state) }
            let target = max(0, position + offset)
            if let end, target > end { return state.enabled(.next) == nil ? nil : MediaAction(.next) }
            return MediaAction(.seekToPosition, number: target)
        case .setPosition(let target, let track):
            guard state.enabled(.seekToPosition) != nil, track == view.track, target >= 0, target <= end ?? .infinity
            else { return nil }
            return MediaAction(.seekToPosition, number: target)
        case .setRate(let rate):
            // "A value of 0.0 should not be set by the client. If it is, the media player should act as though Pause was
            // called."
            if rate == 0 { return try MediaWish.pause.action(state, now: 0) }
            guard state.enabled(.changePlaybackRate) != nil else { throw Self.refusal }
            return MediaAction(.changePlaybackRate, number: rate)
        case .setLoopStatus(let status):
            let modes = ["None": "off", "Track": "one", "Playlist": "all"]
            return try mode(state, .changeRepeatMode, [modes[status]])
        case .setShuffle(let isOn):
            if isOn, view.isShuffled { return nil }
            return try mode(state, .changeShuffleMode, isOn ? ["items", "collections"] : ["off"])
        }
    }

    /// Returns an action for a relative seek in an app that only supports skipping. It uses the app's nearest interval.
    private func skip(by offset: Double, _ state: MediaSessionState) -> MediaAction? {
        guard offset != 0, let control = state.enabled(offset < 0 ? .skipBackward : .skipForward) else { return nil }
        let wanted = abs(offset)
        let interval = control.numbers?.min { abs($0 - wanted) < abs($1 - wanted) }
        return MediaAction(control.kind, number: interval ?? wanted)
    }

    private func mode(
        _ state: MediaSessionState, _ kind: MediaControl.Kind, _ wanted: [String?]
    ) throws(HostError) -> MediaAction {
        guard let control = state.enabled(kind),
            let mode = wanted.compactMap({ $0 }).first(where: { control.modes?.contains($0) ?? true })
        else { throw Self.refusal }
        return MediaAction(kind, mode: mode)
    }

    private static let refusal = HostError(.notSupported, "The player does not offer that now.")
}
