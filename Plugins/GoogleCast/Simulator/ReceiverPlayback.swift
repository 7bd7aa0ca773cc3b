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
    let media: JSON
    /// The media of the queue, of which this is one.
    var queue: [JSON] = []
    private var place = 0
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

    /// Returns the playback of the next item, or of another one; `nil` if there is none.
    func jumping(_ jump: Int) -> ReceiverPlayback? {
        let target = place.addingReportingOverflow(jump).partialValue
        guard queue.indices.contains(target),
            let url = queue[target]["contentUrl"]?.string
                ?? queue[target]["contentId"]?.string
        else { return nil }
        var next = ReceiverPlayback(session: session, url: url, media: queue[target])
        next.queue = queue
        next.place = target
        next.hasTracks = hasTracks
        return next
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

    /// The files of the active tracks that have one.
    var activeTrackFiles: [String] {
        (media["tracks"]?.array ?? []).compactMap { track in
            guard let number = track["trackId"]?.integer, activeTracks.contains(number) else { return nil }
            return track["trackContentId"]?.string
        }
    }

    /// The position as a part of the whole.
    func part(_ now: Double) -> Double { duration.map { $0 > 0 ? position(now) / $0 : 0 } ?? 0 }

    /// The time at which the media is over, or fails after five seconds.
    func endTime(failing: Bool) -> Double? {
        guard state == .playing, let duration else { return nil }
        return time + (min(duration, failing ? 5 : duration) - anchor) / rate
    }

    var stateName: String { idleReason.map { "\(state.rawValue) \($0.rawValue)" } ?? state.rawValue }

    private var commands: Int {
        (duration == nil ? 12289 : 12303) | (place + 1 < queue.count ? 64 : 0) | (place > 0 ? 128 : 0)
    }

    /// Returns the entry of a `MEDIA_STATUS`. Devices describe the media only when it has changed.
    func json(withMedia: Bool, now: Double) -> JSON {
        var status: [String: JSON] = [
            "mediaSessionId": .number(Double(session)), "currentTime": .number(position(now)),
            "playbackRate": .number(rate),
            "playerState": .string((state == .loading ? .idle : state).rawValue),
            "supportedMediaCommands": .number(Double(commands)), "currentItemId": .number(Double(place + 1)),
            "volume": ["level": 1, "muted": false], "repeatMode": "REPEAT_OFF",
            "activeTrackIds": .array(activeTracks.map { .number(Double($0)) }),
        ]
        if state == .loading { status["extendedStatus"] = ["playerState": "LOADING"] }
        if let idleReason { status["idleReason"] = .string(idleReason.rawValue) }
        if withMedia, case .object(var fields) = media {
            if let duration { fields["duration"] = .number(duration) }
            fields["contentId"] = fields["contentId"] ?? .string(url)
            if hasTracks { fields["tracks"] = Self.tracks }
            // Some senders give none, or one that doesn't fit. A device tells the one that it found.
            let known = ["BUFFERED", "LIVE", "NONE"].contains(fields["streamType"]?.string)
            if !known { fields["streamType"] = duration == nil ? "LIVE" : "BUFFERED" }
            status["media"] = .object(fields)
        }
        return .object(status)
    }
}
