/// A command a media session offers, without what it does.
package struct MediaControl: Codable, Sendable, Hashable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case play, pause, stop, next, previous, feedback
        case togglePlayPause = "toggle-play-pause"
        case skipForward = "skip-forward"
        case skipBackward = "skip-backward"
        case seekToPosition = "seek-to-position"
        case seekForward = "seek-forward"
        case seekBackward = "seek-backward"
        case changePlaybackRate = "change-playback-rate"
        case changeRepeatMode = "change-repeat-mode"
        case changeShuffleMode = "change-shuffle-mode"
    }

    package var kind: Kind
    /// Whether it can be used; one that cannot is still shown.
    package var isEnabled: Bool
    /// Skipping: intervals in seconds, in order of preference. Rate: those that are supported.
    package var numbers: [Double]?
    /// Repeating and shuffling: the modes that are supported, as ``current``.
    package var modes: [String]?
    /// Repeating: `off`, `one`, `all`. Shuffling: `off`, `items`, `collections`. Feedback: `neutral`, `positive`, `negative`.
    package var current: String?
    /// What the feedback is called.
    package var title: String?
    package var shortTitle: String?

    package init(
        _ kind: Kind, isEnabled: Bool = true, numbers: [Double]? = nil, modes: [String]? = nil, current: String? = nil,
        title: String? = nil, shortTitle: String? = nil
    ) {
        self.kind = kind
        self.isEnabled = isEnabled
        self.numbers = numbers
        self.modes = modes
        self.current = current
        self.title = title
        self.shortTitle = shortTitle
    }
}

/// A command on its way to a media session.
package struct MediaAction: Codable, Sendable, Hashable {
    /// Of a command that is held: pressed, let go.
    package enum Phase: String, Codable, Sendable { case begin, end }

    package var kind: MediaControl.Kind
    /// Skipping: seconds. Seeking: the position in seconds. Rate: the rate.
    package var number: Double?
    /// Repeating, shuffling, feedback: as ``MediaControl/current``.
    package var mode: String?
    /// Seeking forward and backward.
    package var phase: Phase?

    package init(_ kind: MediaControl.Kind, number: Double? = nil, mode: String? = nil, phase: Phase? = nil) {
        self.kind = kind
        self.number = number
        self.mode = mode
        self.phase = phase
    }
}
