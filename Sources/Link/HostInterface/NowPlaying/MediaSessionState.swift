/// What a media session shows and offers: what an app publishes, and what every surface is made of.
///
/// Times are seconds. Times of day are seconds since 1970; everything else that holds at an instant is told in
/// `CLOCK_MONOTONIC`, the same clock for every process of one machine.
package struct MediaSessionState: Codable, Sendable, Hashable {
    /// `nil`: there is nothing to show.
    package var content: MediaItem?
    /// `nil`: no state was published.
    package var playback: MediaPlayback?
    package var controls: [MediaControl]
    /// Where a remote session plays; `nil` for every other.
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

    /// The control of that kind a person can use now.
    package func enabled(_ kind: MediaControl.Kind) -> MediaControl? {
        controls.first { $0.kind == kind && $0.isEnabled }
    }

    /// Whether surfaces can compute with its numbers and show as much as it holds.
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

    /// Whether a reader that holds this state learns nothing from `newer`: the two are equal, or differ only in a
    /// position that the reader computes by itself.
    package func foretells(_ newer: MediaSessionState) -> Bool {
        if self == newer { return true }
        guard let playback, let other = newer.playback else { return false }
        var aligned = newer
        aligned.playback?.position = playback.position
        return self == aligned && playback.foretells(other)
    }
}

/// Whether and where it plays.
package struct MediaPlayback: Codable, Sendable, Hashable {
    package enum State: String, Codable, Sendable { case playing, paused, stopped, buffering, interrupted }

    package struct Position: Codable, Sendable, Hashable {
        package var value: Double
        /// `CLOCK_MONOTONIC` when it held.
        package var hostTime: Double

        package init(value: Double, hostTime: Double) {
            self.value = value
            self.hostTime = hostTime
        }
    }

    package var state: State
    /// The speed while it plays, temporary changes included: finite, not 0.
    package var rate: Double
    /// The speed to come back to: finite, above 0.
    package var defaultRate: Double
    /// `nil`: not known.
    package var position: Position?

    package init(state: State, rate: Double = 1, defaultRate: Double = 1, position: Position? = nil) {
        self.state = state
        self.rate = rate
        self.defaultRate = defaultRate
        self.position = position
    }

    /// Whether a person would say it plays: also while it waits for data.
    package var isActive: Bool { state == .playing || state == .buffering }

    /// The position then, within `0...duration`; `nil` where it is not known.
    ///
    /// - Parameters:
    ///   - now: `CLOCK_MONOTONIC` in seconds.
    ///   - duration: Of the content; `nil` where it has no end.
    package func position(at now: Double, duration: Double?) -> Double? {
        guard let position else { return nil }
        let moved = state == .playing ? rate * max(0, now - position.hostTime) : 0
        return min(max(0, position.value + moved), duration ?? .infinity)
    }

    // Below what a person notices, above the jitter of a player that is read at every change.
    private static let tolerance = 0.25

    /// Whether the two differ only in a position that follows from this one; a standing position must match exactly.
    package func foretells(_ newer: MediaPlayback) -> Bool {
        var aligned = newer
        aligned.position = position
        guard self == aligned else { return false }
        guard let position, let other = newer.position else { return self == newer }
        guard state == .playing else { return position.value == other.value }
        return abs(position.value + rate * (other.hostTime - position.hostTime) - other.value) <= Self.tolerance
    }
}
