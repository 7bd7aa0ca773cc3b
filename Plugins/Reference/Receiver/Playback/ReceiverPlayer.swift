import ReferenceProtocol

/// What plays on a receiver and where it is: a position clock with the commands that move it.
struct ReceiverPlayer: Sendable {
    /// Seconds.
    private static let longestWait = 60.0

    private(set) var state: ReferencePlayback
    /// When ``state``'s position holds, in seconds; still to come where a start is waited for.
    private var anchor: Double
    /// Where and when it starts, told before its data has come.
    private var line: (position: Double, moment: Double)?
    /// When a start that is waited for is due; `nil` once it was told of.
    private(set) var startTime: Double?

    /// Something whose data is still to come.
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

    /// A running application.
    init(application: String, title: String, id: String, now: Double) {
        state = ReferencePlayback(id: id)
        state.application = application
        state.title = title
        state.isPlaying = true
        state.rate = 1
        anchor = now
    }

    /// What plays, with the position of that moment.
    func snapshot(at now: Double) -> ReferencePlayback {
        var state = state
        state.position = position(at: now)
        state.time = now
        if now < anchor { state.rate = 0 }
        return state
    }

    /// When playback reaches the end at this pace; `nil` for never.
    var end: Double? {
        guard let duration = state.duration, state.rate > 0 else { return nil }
        return anchor + max(0, duration - state.position) / state.rate
    }

    private func position(at now: Double) -> Double {
        let position = max(0, state.position + state.rate * max(0, now - anchor))
        return state.duration.map { min($0, position) } ?? position
    }

    /// Changes what is wanted, and anchors the clock anew.
    private mutating func change(at now: Double, _ change: (inout ReferencePlayback) -> Void) {
        state.position = position(at: now)
        anchor = max(anchor, now)
        change(&state)
        let isMoving = state.isPlaying && !state.isBuffering && !state.isHeld
        state.rate = isMoving ? (state.scanSpeed == 0 ? state.speed : state.scanSpeed) : 0
    }

    // MARK: The media

    /// Its data has come: playback begins.
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

    // MARK: Together with others

    /// Playback is at `position` at that moment: one to come is waited for, for a past one it is where it would be by now.
    mutating func start(from position: Double, at moment: Double, now: Double) throws(ReferenceFailure) {
        guard position.isFinite, position >= 0, moment.isFinite, moment < now + Self.longestWait else {
            throw ReferenceFailure(.badRequest, "The start is no moment within a minute.")
        }
        guard state.application == nil else {
            throw ReferenceFailure(.notSupported, "An application has no timeline.")
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

    /// The start that was waited for is told of.
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
            throw ReferenceFailure(.notSupported, "This cannot be seeked.")
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
