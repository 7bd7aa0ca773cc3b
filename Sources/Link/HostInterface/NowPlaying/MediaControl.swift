/// A command that a media session offers, without its action.
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
    /// A Boolean value that indicates whether the command can be used. A disabled one is still shown.
    package var isEnabled: Bool
    /// Skipping: the intervals in seconds, in order of preference. Rate: the supported rates.
    package var numbers: [Double]?
    /// Repeating and shuffling: the supported modes, with the values of ``current``.
    package var modes: [String]?
    /// The current mode. Repeating: `off`, `one`, `all`. Shuffling: `off`, `items`, `collections`. Feedback: `neutral`,
    /// `positive`, `negative`.
    package var current: String?
    /// The title of the feedback.
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

/// The use of a media session's command.
package struct MediaAction: Codable, Sendable, Hashable {
    /// The phase of a command that is held: pressed or released.
    package enum Phase: String, Codable, Sendable { case begin, end }

    package var kind: MediaControl.Kind
    /// Skipping: the seconds. Seeking: the position in seconds. Rate: the rate.
    package var number: Double?
    /// Repeating, shuffling, feedback: a value of ``MediaControl/current``.
    package var mode: String?
    /// Seeking forward and backward: the phase.
    package var phase: Phase?

    package init(_ kind: MediaControl.Kind, number: Double? = nil, mode: String? = nil, phase: Phase? = nil) {
        self.kind = kind
        self.number = number
        self.mode = mode
        self.phase = phase
    }
}
