import ReferenceProtocol

/// The playback of a receiver: a position clock and the commands that change it.
struct ReceiverPlayer: Sendable {
    /// The longest time until a scheduled start, in seconds.
    static let longestWait = 60.0

    private(set) var state: ReferencePlayback
    /// The sound and pictures that a client sends; `nil` for media.
    private(set) var live: ReferenceLive?
    /// The time of ``state``'s position, in seconds; in the future for a scheduled start.
    private var anchor: Double
    /// The position and time of a start that was scheduled before the data arrived.
    private var line: (position: Double, moment: Double)?
    /// The time at which a scheduled start is due; `nil` after it was reported.
    private(set) var startTime: Double?

    /// Creates the playback of media that is still loading.
    init(loading media: ReferenceMedia, id: String, now: Double) {
        state = ReferencePlayback(id: id)
        state.title = media.title
        state.subtitle = media.artist
        state.duration = media.duration
        state.position = media.position ?? 0
        state.isPlaying = true
        state.isBuffering = true
        state.isHeld = media.isHeld == true
        anchor = now
    }

    /// Creates the playback of a running application.
    init(application: String, title: String, id: String, now: Double) {
        state = ReferencePlayback(id: id)
        state.application = application
        state.title = title
        state.isPlaying = true
        state.rate = 1
        anchor = now
    }

    /// Creates the playback of sound and pictures that a client sends.
    init(receiving live: ReferenceLive, id: String, now: Double) {
        state = ReferencePlayback(id: id)
        state.title = live.title
        state.subtitle = live.artist
        state.isLive = true
        state.isPlaying = true
        state.isBuffering = true
        self.live = live
        anchor = now
    }

    /// Returns the state with the position at a time.
    func snapshot(at now: Double) -> ReferencePlayback {
        var state = state
        state.position = position(at: now)
        state.time = now
        if now < anchor { state.rate = 0 }
        return state
    }

    /// The time at which playback reaches the end at the current rate; `nil` for never.
    var end: Double? {
        guard let duration = state.duration, state.rate > 0 else { return nil }
        return anchor + max(0, duration - state.position) / state.rate
    }

    private func position(at now: Double) -> Double {
        let position = max(0, state.position + state.rate * max(0, now - anchor))
        return state.duration.map { min($0, position) } ?? position
    }

    /// Changes the state from the position at a time on.
    private mutating func change(at now: Double, _ change: (inout ReferencePlayback) -> Void) {
        state.position = position(at: now)
        anchor = max(anchor, now)
        change(&state)
        let isMoving = state.isPlaying && !state.isBuffering && !state.isHeld
        state.rate = isMoving ? (state.scanSpeed == 0 ? state.speed : state.scanSpeed) : 0
    }

    // MARK: The media

    /// Starts playback after the data arrived.
    mutating func opened(_ facts: MediaFacts, at now: Double) {
        change(at: now) { state in
            state.isBuffering = false
            state.duration = facts.isLive ? nil : facts.duration ?? state.duration
            state.isLive = facts.isLive
            if facts.isLive { state.position = 0 }
            guard let programme = facts.programme else { return }
            state.title = state.title ?? programme.title
            state.subtitle = state.subtitle ?? programme.subtitle
            state.segments = programme.segments ?? []
            state.audio = programme.audio ?? []
            state.audioDescription = programme.audioDescription ?? []
            state.subtitles = programme.subtitles ?? []
            state.selected = state.audio.first.map { ["audio": $0.id] } ?? [:]
        }
        if let line { follow(line, at: now) }
        if let duration = state.duration { state.position = min(duration, state.position) }
    }

    // MARK: Live sound and pictures

    /// Returns the time at which sound or a picture is due, and how it is presented; `nil` if it wasn't announced.
    func presentation(of command: ReferenceCommand) -> (moment: Double, ReceiverMachine.Effect)? {
        switch command {
        case .sound(let moment, let samples):
            guard let sound = live?.sound, moment.isFinite, !samples.isEmpty,
                samples.count.isMultiple(of: sound.bytesPerFrame)
            else { return nil }
            return (moment, .playSound(samples))
        case .picture(let moment, let accessUnit):
            guard live?.picture != nil, moment.isFinite, !accessUnit.isEmpty else { return nil }
            return (moment, .showPicture(accessUnit))
        default: return nil
        }
    }

    /// Begins at the time of the first sound or picture.
    ///
    /// - Returns: `false` if it began before.
    mutating func begin(at moment: Double, now: Double) -> Bool {
        guard state.isBuffering else { return false }
        state.isBuffering = false
        follow((0, moment), at: now)
        return true
    }

    mutating func describe(_ title: String?, _ artist: String?) throws(ReferenceFailure) {
        guard live != nil else { throw ReferenceFailure(.nothingPlays, "Nothing live is received.") }
        state.title = title
        state.subtitle = artist
    }

    // MARK: Together with others

    /// Starts playback at a position at a given time. It waits for a future time; for a past one it starts at the
    /// position it would have reached.
    mutating func start(from position: Double, at moment: Double, now: Double) throws(ReferenceFailure) {
        guard position.isFinite, position >= 0, moment.isFinite, moment < now + Self.longestWait else {
            throw ReferenceFailure(.badRequest, "The start is no moment within a minute.")
        }
        guard state.application == nil, live == nil else {
            throw ReferenceFailure(.notSupported, "An application or live sound has no timeline.")
        }
        line = (position, moment)
        state.isHeld = false
        state.isPlaying = true
        if !state.isBuffering { follow((position, moment), at: now) }
    }

    private mutating func follow(_ line: (position: Double, moment: Double), at now: Double) {
        self.line = nil
        change(at: now) { $0.position = min($0.duration ?? line.position, line.position) }
        anchor = line.moment
        startTime = line.moment > now ? line.moment : nil
    }

    /// Records that the scheduled start was reported.
    mutating func began() { startTime = nil }

    // MARK: Commands

    mutating func setPlaying(_ isPlaying: Bool, at now: Double) {
        change(at: now) {
            $0.isPlaying = isPlaying
            $0.isHeld = $0.isHeld && !isPlaying
            $0.scanSpeed = 0
        }
        line = nil
        guard !isPlaying else { return }
        anchor = now
        startTime = nil
    }

    mutating func seek(to position: Double, at now: Double) throws(ReferenceFailure) {
        guard position.isFinite else { throw ReferenceFailure(.badRequest, "The position is no number.") }
        guard !state.isLive, state.application == nil else {
            throw ReferenceFailure(.notSupported, "This content doesn't support seeking.")
        }
        change(at: now) { $0.position = min($0.duration ?? position, max(0, position)) }
    }

    mutating func setSpeed(_ speed: Double, at now: Double) throws(ReferenceFailure) {
        guard (0.25...4).contains(speed), !state.isLive else {
            throw ReferenceFailure(.notSupported, "The speed is 0.25 to 4, and 1 for a live stream.")
        }
        change(at: now) { $0.speed = speed }
    }

    mutating func scan(_ speed: Double, at now: Double) throws(ReferenceFailure) {
        guard (-32...32).contains(speed), !state.isLive else {
            throw ReferenceFailure(.notSupported, "A scan goes at −32 to 32 times the speed, and not through live.")
        }
        change(at: now) { $0.scanSpeed = speed }
    }

    mutating func select(_ list: ReferencePlayback.List, _ option: String?) throws(ReferenceFailure) {
        guard option == nil || state.options(of: list).contains(where: { $0.id == option }) else {
            throw ReferenceFailure(.badRequest, "The list \(list.rawValue) has no “\(option ?? "")”.")
        }
        state.selected[list.rawValue] = option
    }
}
