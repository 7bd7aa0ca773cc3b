/// The way in which the person is changing the position.
public enum AVPlaybackUserInterfacePlaybackState: Int, Sendable, Hashable {
    /// The person isn't changing it. Playback runs or is paused.
    case normal = 0
    /// The person moves through the content at the scan speed.
    case scanning
    /// The person drags the position.
    case scrubbing
}

/// Kinds of seeking.
public struct AVPlaybackUserInterfaceSeekCapabilities: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    public let rawValue: UInt

    /// Creates a set from its bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Scanning forward.
    public static let scanForward = AVPlaybackUserInterfaceSeekCapabilities(rawValue: 1 << 0)
    /// Scanning backward.
    public static let scanBackward = AVPlaybackUserInterfaceSeekCapabilities(rawValue: 1 << 1)
    /// Seeking to a position.
    public static let seek = AVPlaybackUserInterfaceSeekCapabilities(rawValue: 1 << 2)
}

/// The kind of content in a segment of the timeline.
public enum AVPlaybackUserInterfaceTimelineSegmentType: Int, Sendable, Hashable {
    /// The main content.
    case primary = 0
    /// An advertisement.
    case advertisement
    /// Bonus material.
    case bonus
    /// The closing credits.
    case credits
    /// The opening titles.
    case intro
    /// A recap of earlier content.
    case recap
    /// A trailer of other content.
    case trailer
    /// Any other content.
    case other
}
