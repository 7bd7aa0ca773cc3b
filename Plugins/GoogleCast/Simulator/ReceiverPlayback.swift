import GoogleCastProtocol
import JSONValues

/// The media that a simulated device plays.
struct ReceiverPlayback: Sendable {
    /// The sender that waits for the answer to its `LOAD`.
    struct Asker: Sendable {
        let client: Int
        let sender: String
        let destination: String
        let request: Int
    }

    let session: Int
    let url: String
    private let media: JSON
    /// A Boolean value that indicates whether the media has ``tracks``.
    var hasTracks = false
    var playsAtOnce = true
    var startPosition = 0.0
    var activeTracks: [Int] = []
    /// `nil` once the media is open.
    var asker: Asker?
    /// `nil` for a live stream.
    private(set) var duration: Double?
    private var state = CastMediaStatus.State.loading
    private var idleReason: CastMediaStatus.IdleReason?
    private var anchor = 0.0
    private var time = 0.0
    private var rate = 1.0

    private static let tracks: JSON = [
        ["trackId": 1, "type": "AUDIO", "name": "English", "language": "en"],
        ["trackId": 2, "type": "AUDIO", "name": "Deutsch", "language": "de"],
        ["trackId": 3, "type": "TEXT", "name": "English", "language": "en"],
    ]

    init(session: Int, url: String, media: JSON) {
        self.session = session
        self.url = url
        self.media = media
    }

    mutating func start(duration: Double?, now: Double) {
        self.duration = duration
        set(min(startPosition, duration ?? 0), now)
        state = playsAtOnce ? .playing : .paused
    }

    mutating func setPlaying(_ isPlaying: Bool, now: Double) {
        set(position(now), now)
        state = isPlaying ? .playing : .paused
    }

    mutating func seek(to target: Double, resume: String?, now: Double) {
        set(max(0, min(target, duration ?? target)), now)
        if resume == "PLAYBACK_START" { state = .playing }
        if resume == "PLAYBACK_PAUSE" { state = .paused }
    }

    mutating func setRate(_ new: Double, now: Double) {
        set(position(now), now)
        rate = new
    }

    mutating func end(_ reason: CastMediaStatus.IdleReason, now: Double) {
        set(position(now), now)
        state = .idle
        idleReason = reason
    }

    private mutating func set(_ position: Double, _ now: Double) { (anchor, time) = (position, now) }

    func position(_ now: Double) -> Double {
        guard state == .playing else { return anchor }
        return min(anchor + (now - time) * rate, duration ?? .infinity)
    }

    /// The position as a part of the whole.
    func part(_ now: Double) -> Double { duration.map { $0 > 0 ? position(now) / $0 : 0 } ?? 0 }

    /// The time at which the media is over, or fails after five seconds.
    func endTime(failing: Bool) -> Double? {
        guard state == .playing, let duration else { return nil }
        return time + (min(duration, failing ? 5 : duration) - anchor) / rate
    }

    var stateName: String { idleReason.map { "\(state.rawValue) \($0.rawValue)" } ?? state.rawValue }

    /// Returns the entry of a `MEDIA_STATUS`. Devices describe the media only when it has changed.
    func json(withMedia: Bool, now: Double) -> JSON {
        var status: [String: JSON] = [
            "mediaSessionId": .number(Double(session)), "currentTime": .number(position(now)),
            "playbackRate": .number(rate),
            "playerState": .string((state == .loading ? .idle : state).rawValue),
            "supportedMediaCommands": .number(duration == nil ? 12289 : 12303),
            "volume": ["level": 1, "muted": false], "currentItemId": 1, "repeatMode": "REPEAT_OFF",
            "activeTrackIds": .array(activeTracks.map { .number(Double($0)) }),
        ]
        if state == .loading { status["extendedStatus"] = ["playerState": "LOADING"] }
        if let idleReason { status["idleReason"] = .string(idleReason.rawValue) }
        if withMedia, case .object(var fields) = media {
            if let duration { fields["duration"] = .number(duration) }
            fields["contentId"] = fields["contentId"] ?? .string(url)
            if hasTracks { fields["tracks"] = Self.tracks }
            status["media"] = .object(fields)
        }
        return .object(status)
    }
}
