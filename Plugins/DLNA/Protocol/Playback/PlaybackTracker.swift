import Foundation

/// A tracker that derives the state of *our* playback from a renderer's reports.
///
/// Renderers differ most in the end of playback: some clear the URL of the media at the end of a track, some report "no
/// media" in between, and all report only "stopped", without the cause. Times are seconds of one clock that only moves
/// forward.
package struct PlaybackTracker: Sendable, Hashable {
    package enum Phase: Sendable, Hashable {
        /// The renderer got the command to play, but isn't playing yet.
        case loading
        case playing
        case paused
        /// Was playing or paused and prepares to go on.
        case buffering
        case finished(Ending)
    }

    package enum Ending: Sendable, Hashable {
        /// Played to its end.
        case ended
        /// Stopped on the device or by another controller.
        case stoppedElsewhere
        /// Another controller made it play something else.
        case replaced
        /// The device reports an error.
        case failed
        /// The renderer accepted to play, but never did.
        case neverStarted
    }

    package struct Position: Sendable, Hashable {
        package var value: Double
        package var time: Double
        /// 0 when not moving.
        package var rate: Double
    }

    /// The difference from the expected position, in seconds, that doesn't count as a change, because many renderers
    /// count whole seconds.
    package static let positionTolerance = 1.5
    /// "Stopped" this near to the end is the end.
    package static let endTolerance = 3.0
    /// The seconds for which a renderer may report "stopped" after it accepted to play.
    package static let startPatience = 4.0
    /// The seconds after the request to play for which "stopped" can concern the earlier media.
    package static let settlingTime = 1.0
    /// The seconds after the request to play for which an event can still concern the earlier media: a busy renderer
    /// sends its events late.
    package static let lateEventTime = 10.0

    private let uri: String
    package private(set) var phase = Phase.loading
    package private(set) var position: Position
    /// Seconds; `nil` while unknown and for live media.
    package private(set) var duration: Double?
    /// The DIDL-Lite document of the track, as the device reports it.
    package private(set) var metadata: String?
    /// The upper-case names of the currently available actions; `nil` if the device doesn't report them.
    package private(set) var actions: Set<String>?

    private var playRequestedAt: Double?
    private var playAcceptedAt: Double?
    private var hasPlayed = false
    private var isConfirmed = false
    private var isTrackConfirmed = false
    private var isEmptied = false
    private var lastReported: Double?

    /// - Parameters:
    ///   - uri: The address the device was given.
    ///   - duration: Seconds, if known beforehand.
    package init(uri: String, duration: Double? = nil, now: Double) {
        self.uri = uri
        self.duration = duration
        position = Position(value: 0, time: now, rate: 0)
    }

    /// The expected position, between 0 and the duration.
    package func position(at now: Double) -> Double {
        let moved = max(0, position.value + position.rate * max(0, now - position.time))
        return duration.map { min($0, moved) } ?? moved
    }

    package var isFinished: Bool {
        if case .finished = phase { true } else { false }
    }

    /// Returns a Boolean value that indicates whether a URL from the device is that of our media.
    package func isMedia(_ other: String) -> Bool { Self.isSame(other, uri) }

    // MARK: Our requests

    /// Records that the device is being asked to play; its reports until then are about something else.
    package mutating func playRequested(at now: Double) {
        if playRequestedAt == nil { playRequestedAt = now }
    }

    /// The device accepted to play.
    package mutating func playAccepted(at now: Double) {
        playRequested(at: now)
        if playAcceptedAt == nil { playAcceptedAt = now }
    }

    /// Records a seek that the device accepted. It shows at once, and the next report corrects it.
    package mutating func sought(to seconds: Double, at now: Double) {
        guard !isFinished else { return }
        lastReported = nil
        move(to: duration.map { min($0, max(0, seconds)) } ?? max(0, seconds), at: now)
    }

    // MARK: Reports of the device

    /// Returns a Boolean value that indicates whether the device has to be asked before an event is believed: it would
    /// end playback that has just begun.
    package func isDoubtful(_ event: TransportChange, at now: Double) -> Bool {
        guard !isFinished, let playRequestedAt, now - playRequestedAt < Self.lateEventTime else { return false }
        // Events keep their order: after one with our address, one with another address or none is later.
        if let other = event.uri, isConfirmed, !isMedia(other) { return false }
        var next = self
        next.apply(event, at: now)
        return next.isFinished
    }

    package mutating func apply(_ change: TransportChange, at now: Double) {
        guard !isFinished else { return }
        applyMedia(
            uri: change.uri, trackURI: change.trackURI, duration: change.duration, metadata: change.metadata, at: now)
        if let actions = change.actions, playRequestedAt != nil { self.actions = actions }
        if !isFinished, change.hasFailed == true, playRequestedAt != nil, isConfirmed || hasPlayed {
            finish(.failed, at: now)
        }
        if !isFinished, let state = change.state { apply(state, at: now) }
        if !isFinished, let position = change.position { apply(reported: position, at: now) }
    }

    package mutating func apply(_ info: TransportInfo, at now: Double) {
        apply(TransportChange(state: info.state, hasFailed: info.hasFailed), at: now)
    }

    package mutating func apply(_ info: PositionInfo, at now: Double) {
        guard !isFinished else { return }
        applyMedia(uri: nil, trackURI: info.uri, duration: info.duration, metadata: info.metadata, at: now)
        if !isFinished, let position = info.position { apply(reported: position, at: now) }
    }

    // MARK: Inside

    private mutating func applyMedia(
        uri: String?, trackURI: String?, duration: Double?, metadata: String?, at now: Double
    ) {
        if let uri, noteMedia(uri) { return finish(.replaced, at: now) }
        if let trackURI, noteTrack(trackURI) { return finish(.replaced, at: now) }
        // Until the device shows our address, length and title belong to its previous media.
        guard isConfirmed || isTrackConfirmed || hasPlayed else { return }
        if let duration { self.duration = duration }
        if let metadata { self.metadata = metadata }
    }

    /// Returns a Boolean value that indicates whether the URL shows that another client took over.
    private mutating func noteMedia(_ other: String) -> Bool {
        if Self.isSame(other, uri) {
            isConfirmed = true
            isEmptied = false
            return false
        }
        guard isConfirmed else { return false }
        isEmptied = other.isEmpty
        return !other.isEmpty
    }

    /// A playlist's tracks have other addresses than it; so only a track that once was ours can be taken away.
    private mutating func noteTrack(_ other: String) -> Bool {
        if Self.isSame(other, uri) {
            isTrackConfirmed = true
            return false
        }
        return isTrackConfirmed && !other.isEmpty
    }

    private mutating func apply(_ state: TransportState, at now: Double) {
        guard playRequestedAt != nil else { return }
        switch state {
        case .playing:
            hasPlayed = true
            enter(.playing, rate: 1, at: now)
        case .paused: enter(.paused, rate: 0, at: now)
        case .transitioning, .other: if phase != .loading { enter(.buffering, rate: 0, at: now) }
        case .stopped, .noMediaPresent: applyStop(at: now)
        }
    }

    private mutating func applyStop(at now: Double) {
        if isEmptied { return finish(.ended, at: now) }
        if let playRequestedAt, now - playRequestedAt < Self.settlingTime { return }
        guard hasPlayed || phase == .paused else {
            // Events about the previous media arrive late; only a lasting stop means that it won't start.
            guard let playAcceptedAt, now - playAcceptedAt >= Self.startPatience else { return }
            return finish(.neverStarted, at: now)
        }
        guard let duration else { return finish(.ended, at: now) }
        finish(position(at: now) >= duration - Self.endTolerance ? .ended : .stoppedElsewhere, at: now)
    }

    private mutating func apply(reported: Double, at now: Double) {
        defer { lastReported = reported }
        guard phase != .loading else {
            return position = Position(value: reported, time: now, rate: 0)
        }
        // At the end some renderers count from zero again before they say "stopped".
        if reported < 0.5, let duration, position(at: now) >= duration - Self.endTolerance { return }
        // A constant position during playback means that the renderer doesn't count, not that it stalls.
        if phase == .playing, reported == lastReported { return }
        guard abs(reported - position(at: now)) > Self.positionTolerance else { return }
        move(to: duration.map { min($0, reported) } ?? reported, at: now)
    }

    private mutating func enter(_ next: Phase, rate: Double, at now: Double) {
        guard phase != next else { return }
        let value = position(at: now)
        phase = next
        position = Position(value: value, time: now, rate: rate)
    }

    private mutating func finish(_ ending: Ending, at now: Double) {
        let value = ending == .ended ? duration ?? position(at: now) : position(at: now)
        phase = .finished(ending)
        position = Position(value: value, time: now, rate: 0)
    }

    private mutating func move(to value: Double, at now: Double) {
        position = Position(value: value, time: now, rate: position.rate)
    }

    /// Devices write the same address back with other escapes.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        (one.removingPercentEncoding ?? one) == (other.removingPercentEncoding ?? other)
    }
}

// MARK: Questions to the device

extension PlaybackTracker {
    /// Returns the seconds until the renderer's state is requested again.
    ///
    /// If events arrive, requests only correct the position and detect a lost device; otherwise they are the only
    /// source of changes.
    package func pause(at now: Double, hasEvents: Bool) -> Double {
        switch phase {
        case .loading, .buffering: return 1
        case .finished: return 5
        case .playing, .paused:
            // Many renderers know the length a little later, and tell it only when asked. Nobody can seek before.
            if duration == nil, let playRequestedAt, now - playRequestedAt < 10 { return 0.5 }
            guard phase == .playing else { return hasEvents ? 5 : 2 }
            guard hasEvents else { return 1 }
            // One question just after the expected end finds the device that does not tell it.
            guard let duration, duration - position(at: now) < 5 else { return 5 }
            return duration - position(at: now) + 0.5
        }
    }
}
