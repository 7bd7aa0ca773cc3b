/// The state of a media session, which an app publishes and from which every surface is built.
///
/// Times are seconds. Dates are seconds since 1970; all other times are `CLOCK_MONOTONIC`, which all processes of a
/// computer share.
package struct MediaSessionState: Codable, Sendable, Hashable {
    /// The current item; `nil` if there is nothing to show.
    package var content: MediaItem?
    /// The state of playback; `nil` if none was published.
    package var playback: MediaPlayback?
    package var controls: [MediaControl]
    /// The devices on which a remote session plays; `nil` for other sessions.
    package var devices: [MediaSessionDevice]?

    package init(
        content: MediaItem? = nil, playback: MediaPlayback? = nil, controls: [MediaControl] = [],
        devices: [MediaSessionDevice]? = nil
    ) {
        self.content = content
        self.playback = playback
        self.controls = controls
        self.devices = devices
    }

    /// Returns the command of a kind that a person can currently use.
    package func enabled(_ kind: MediaControl.Kind) -> MediaControl? {
        controls.first { $0.kind == kind && $0.isEnabled }
    }

    /// A Boolean value that indicates whether surfaces can use the numbers and show the whole content.
    package var isShowable: Bool {
        let numbers = [
            playback?.rate, playback?.defaultRate, playback?.position?.value, playback?.position?.hostTime,
            content?.duration, content?.releaseDate,
        ]
        return numbers.allSatisfy { $0?.isFinite != false }
            && playback.map { $0.rate != 0 && $0.defaultRate > 0 } != false
            && content?.duration.map { $0 >= 0 } != false && controls.count <= 64 && devices?.count ?? 0 <= 64
            && devices?.allSatisfy { $0.level.map { (0...1).contains($0) } != false } != false
    }

    /// Returns a Boolean value that indicates whether `newer` adds no information: both are equal, or differ only in a
    /// position that the reader computes itself.
    package func foretells(_ newer: MediaSessionState) -> Bool {
        if self == newer { return true }
        guard let playback, let other = newer.playback else { return false }
        var aligned = newer
        aligned.playback?.position = playback.position
        return self == aligned && playback.foretells(other)
    }
}

/// The state and position of playback.
package struct MediaPlayback: Codable, Sendable, Hashable {
    package enum State: String, Codable, Sendable { case playing, paused, stopped, buffering, interrupted }

    package struct Position: Codable, Sendable, Hashable {
        package var value: Double
        /// The time of the position, in seconds of `CLOCK_MONOTONIC`.
        package var hostTime: Double

        package init(value: Double, hostTime: Double) {
            self.value = value
            self.hostTime = hostTime
        }
    }

    package var state: State
    /// The rate during playback, including temporary changes: finite, not 0.
    package var rate: Double
    /// The rate after a temporary change: finite, greater than 0.
    package var defaultRate: Double
    /// The position; `nil` if unknown.
    package var position: Position?

    package init(state: State, rate: Double = 1, defaultRate: Double = 1, position: Position? = nil) {
        self.state = state
        self.rate = rate
        self.defaultRate = defaultRate
        self.position = position
    }

    /// A Boolean value that indicates whether a person would call the state playing, including buffering.
    package var isActive: Bool { state == .playing || state == .buffering }

    /// Returns the position at a time, within `0...duration`; `nil` if unknown.
    ///
    /// - Parameters:
    ///   - now: The time in seconds of `CLOCK_MONOTONIC`.
    ///   - duration: The duration of the content; `nil` if it has no end.
    package func position(at now: Double, duration: Double?) -> Double? {
        guard let position else { return nil }
        let moved = state == .playing ? rate * max(0, now - position.hostTime) : 0
        return min(max(0, position.value + moved), duration ?? .infinity)
    }

    // Too small for people to notice, and larger than the jitter of a player that is read at every change.
    private static let tolerance = 0.25

    /// Returns a Boolean value that indicates whether `newer` differs only in a position that follows from this one. A
    /// paused position must be equal.
    package func foretells(_ newer: MediaPlayback) -> Bool {
        var aligned = newer
        aligned.position = position
        guard self == aligned else { return false }
        guard let position, let other = newer.position else { return self == newer }
        guard state == .playing else { return position.value == other.value }
        return abs(position.value + rate * (other.hostTime - position.hostTime) - other.value) <= Self.tolerance
    }
}
