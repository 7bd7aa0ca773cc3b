/// What a receiver plays by address, from what it says now and then, as a value.
///
/// The owner asks it as often as ``delay(at:usual:rare:)`` says, and tells what it says, asked or by itself, together with the
/// time; seconds of any clock that does not jump.
package struct VideoTracker: Sendable, Hashable {
    package enum Phase: Sendable, Hashable {
        /// It was told to play, and does not yet.
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
    /// Seconds in which it may still say where it was before it was told to go elsewhere.
    static let seekPatience = 2.0
    /// Seconds by which a position may be off before it has jumped.
    static let tolerance = 1.0
    /// Seconds that nothing has to play, in the middle of a piece, until it is over.
    static let absencePatience = 3.0
    /// Seconds before its end from which on it may be over at once.
    static let endZone = 2.0
    /// Seconds after anything has changed in which more is to be expected: Kodi says for a moment where the last piece was.
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
    /// It has been about to play.
    private var isOpening = false
    /// The last that it told by itself; `nil` where it has told nothing.
    private var told: Told?
    /// It has told that it plays what it was told to: an end that is told before is that of another piece.
    private var hasToldBeginning: Bool

    /// - Parameter isAdopted: Whether it was told to play by somebody before, and may have come to its end meanwhile.
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

    /// Where it is at that time.
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

    /// It told something by itself. What it says when it is asked counts; this is a reason to ask, and to believe that nothing
    /// plays any more.
    package mutating func told(_ event: VideoEvent, at now: Double) {
        guard !isOver else { return }
        told = Told(event: event, time: now)
        if event.state == .playing || event.state == .paused { hasToldBeginning = true }
    }

    /// Nothing is told by itself any more.
    package mutating func tellsNothing() { told = nil }

    /// Seconds until it is to be asked again.
    ///
    /// - Parameters:
    ///   - usual: Where whatever happens is known by asking alone; a fourth of it where something is about to.
    ///   - rare: Where the receiver tells the most of it by itself.
    package func delay(at now: Double, usual: Double, rare: Double) -> Double {
        if phase == .loading || hasToldEnd(at: now) || isContradicted(at: now) { return usual / 4 }
        guard isAgreed, !isWaiting, absences == 0, now - position.time >= Self.settling else { return usual }
        guard position.rate > 0, let duration else { return max(usual, rare) }
        return max(usual, min(rare, duration - Self.endZone - place(at: now)))
    }

    /// Whether it told that it does what it does, and would tell if it did not.
    private var isAgreed: Bool {
        switch told?.event.state {
        case .playing: phase == .playing
        case .paused: phase == .paused
        // Told for a moment of waiting, too, whose end is not told.
        case .loading: true
        case .stopped, nil: false
        }
    }

    /// It told a moment ago what it does not say yet.
    private func isContradicted(at now: Double) -> Bool {
        guard let told, told.event.state != .stopped else { return false }
        return !isAgreed && now - told.time < Self.settling
    }

    /// It told a moment ago that it stopped, and nothing since.
    private func hasToldEnd(at now: Double) -> Bool {
        guard let told, told.event.state == .stopped, hasToldBeginning else { return false }
        return now - told.time < Self.absencePatience
    }

    /// It took the command to go there.
    package mutating func sought(to seconds: Double, at now: Double) {
        guard !isOver else { return }
        soughtAt = now
        position = Position(value: seconds, time: now, rate: phase == .playing ? 1 : 0)
    }

    /// It took the command to play or to pause.
    package mutating func commanded(isPlaying: Bool, at now: Double) {
        guard phase == .playing || phase == .paused else { return }
        position = Position(value: place(at: now), time: now, rate: isPlaying ? 1 : 0)
        phase = isPlaying ? .playing : .paused
    }

    /// Nothing plays: not yet, or not any more. Said for a moment in the middle of a piece it means nothing, nor does the first
    /// that a receiver says to somebody new.
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
