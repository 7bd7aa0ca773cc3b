/// The playback of a URL on a receiver, derived from its reports, as a value.
///
/// The owner requests a report as often as ``delay(at:usual:rare:)`` says, and passes in reports and events with their
/// time, in seconds of any clock that doesn't jump.
package struct VideoTracker: Sendable, Hashable {
    package enum Phase: Sendable, Hashable {
        /// The receiver got the request to play, but hasn't started.
        case loading
        case playing, paused
        case ended
        /// Carries a sentence.
        case failed(String)
    }

    package struct Position: Sendable, Hashable {
        /// Seconds from the beginning, at ``time``.
        package var value: Double
        package var time: Double
        package var rate: Double
    }

    private struct Told: Sendable, Hashable {
        var event: VideoEvent
        var time: Double
    }

    /// Seconds that it may take to begin.
    package static let startPatience = 25.0
    /// The seconds after a seek for which the receiver may still report the old position.
    static let seekPatience = 2.0
    /// Seconds by which a position may be off before it has jumped.
    static let tolerance = 1.0
    /// The seconds without playback in the middle of an item after which it counts as ended.
    static let absencePatience = 3.0
    /// Seconds before its end from which on it may be over at once.
    static let endZone = 2.0
    /// The seconds after a change for which more changes are expected. Kodi reports the position of the last item for a
    /// moment.
    static let settling = 2.0

    package private(set) var phase = Phase.loading
    package private(set) var duration: Double?
    package private(set) var isSeekable = false
    package private(set) var isWaiting = true
    package private(set) var position: Position
    private let begun: Double
    private var soughtAt: Double?
    private var absences = 0
    private var absentSince = 0.0
    private let isAdopted: Bool
    /// A Boolean value that indicates whether the receiver was about to play.
    private var isOpening = false
    /// The last event; `nil` if there was none.
    private var told: Told?
    /// A Boolean value that indicates whether an event reported the start. An end before it belongs to an earlier item.
    private var hasToldBeginning: Bool

    /// Creates a tracker.
    ///
    /// - Parameter isAdopted: `true` if an earlier process started playback, which may have ended meanwhile.
    package init(now: Double, isAdopted: Bool = false) {
        self.isAdopted = isAdopted
        hasToldBeginning = isAdopted
        begun = now
        position = Position(value: 0, time: now, rate: 0)
    }

    package var isOver: Bool {
        switch phase {
        case .ended, .failed: true
        case .loading, .playing, .paused: false
        }
    }

    /// Returns the position at a time.
    package func place(at now: Double) -> Double {
        let place = position.value + max(0, now - position.time) * position.rate
        return duration.map { min(place, $0) } ?? place
    }

    package mutating func apply(_ information: PlaybackInformation, at now: Double) {
        guard !isOver else { return }
        if let failure = information.failure {
            return end(Self.failed(failure), at: now)
        }
        guard information.isReady else { return absent(at: now) }
        absences = 0
        // Kodi is ready as soon as it opens the address, and knows of no length and no place then.
        if phase == .loading, information.duration == nil, information.position ?? 0 == 0 {
            isOpening = true
            return expire(at: now)
        }
        duration = information.duration ?? duration
        isSeekable = information.isSeekable
        isWaiting = information.isWaiting
        let rate = information.isWaiting ? 0 : min(1, max(0, information.rate ?? 1))
        let before = phase
        phase = information.rate.map { $0 > 0 } ?? true ? .playing : .paused
        guard let told = information.position else {
            if rate != position.rate { position = Position(value: place(at: now), time: now, rate: rate) }
            return
        }
        if let soughtAt, now - soughtAt < Self.seekPatience, abs(told - place(at: now)) > Self.tolerance { return }
        soughtAt = nil
        if before == .loading || rate != position.rate || abs(told - place(at: now)) > Self.tolerance {
            position = Position(value: told, time: now, rate: rate)
        }
    }

    /// Processes an event. Only reports count; an event is a reason to request one, and to accept an end.
    package mutating func told(_ event: VideoEvent, at now: Double) {
        guard !isOver else { return }
        told = Told(event: event, time: now)
        if event.state == .playing || event.state == .paused { hasToldBeginning = true }
    }

    /// Records that the receiver sends no more events.
    package mutating func tellsNothing() { told = nil }

    /// Returns the seconds until the next request for a report.
    ///
    /// - Parameters:
    ///   - usual: The interval without events. It is divided by four when a change is expected.
    ///   - rare: The interval if events report most changes.
    package func delay(at now: Double, usual: Double, rare: Double) -> Double {
        if phase == .loading || hasToldEnd(at: now) || isContradicted(at: now) { return usual / 4 }
        guard isAgreed, !isWaiting, absences == 0, now - position.time >= Self.settling else { return usual }
        guard position.rate > 0, let duration else { return max(usual, rare) }
        return max(usual, min(rare, duration - Self.endZone - place(at: now)))
    }

    /// A Boolean value that indicates whether the last event matches the state, so that a change would cause an event.
    private var isAgreed: Bool {
        switch told?.event.state {
        case .playing: phase == .playing
        case .paused: phase == .paused
        // Told for a moment of waiting, too, whose end is not told.
        case .loading: true
        case .stopped, nil: false
        }
    }

    /// Returns a Boolean value that indicates whether a recent event contradicts the reports.
    private func isContradicted(at now: Double) -> Bool {
        guard let told, told.event.state != .stopped else { return false }
        return !isAgreed && now - told.time < Self.settling
    }

    /// Returns a Boolean value that indicates whether a recent event reported the end.
    private func hasToldEnd(at now: Double) -> Bool {
        guard let told, told.event.state == .stopped, hasToldBeginning else { return false }
        return now - told.time < Self.absencePatience
    }

    /// Records a successful seek.
    package mutating func sought(to seconds: Double, at now: Double) {
        guard !isOver else { return }
        soughtAt = now
        position = Position(value: seconds, time: now, rate: phase == .playing ? 1 : 0)
    }

    /// Records a successful command to play or pause.
    package mutating func commanded(isPlaying: Bool, at now: Double) {
        guard phase == .playing || phase == .paused else { return }
        position = Position(value: place(at: now), time: now, rate: isPlaying ? 1 : 0)
        phase = isPlaying ? .playing : .paused
    }

    /// Processes a report that nothing plays. A single one in the middle of an item is ignored, as is the first one of
    /// a new connection.
    private mutating func absent(at now: Double) {
        if absences == 0 { absentSince = now }
        absences += 1
        guard phase == .loading, !isAdopted else {
            if hasToldEnd(at: now) { return end(told?.event.failure.map(Self.failed) ?? .ended, at: now) }
            let isAtEnd = duration.map { place(at: now) >= $0 - Self.endZone } ?? false
            if isAtEnd ? absences > 1 : now - absentSince >= Self.absencePatience { end(.ended, at: now) }
            return
        }
        if isOpening, absences > 3 { return end(.failed("It cannot open the address."), at: now) }
        expire(at: now)
    }

    private static func failed(_ failure: String) -> Phase {
        .failed("It cannot play this\(failure.isEmpty ? "" : " (\(failure))").")
    }

    private mutating func expire(at now: Double) {
        if now - begun > Self.startPatience { end(.failed("It did not begin to play within 25 s."), at: now) }
    }

    private mutating func end(_ phase: Phase, at now: Double) {
        position = Position(value: place(at: now), time: now, rate: 0)
        self.phase = phase
        isWaiting = false
    }
}
