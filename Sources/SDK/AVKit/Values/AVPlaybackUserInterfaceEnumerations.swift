/// What the person does with the timeline.
public enum AVPlaybackUserInterfacePlaybackState: Int, Sendable, Hashable {
    /// Nothing: playback runs or is paused.
    case normal = 0
    /// Moves through the content at the scan speed.
    case scanning
    /// Drags the position.
    case scrubbing
}

/// Kinds of seeking.
public struct AVPlaybackUserInterfaceSeekCapabilities: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    public let rawValue: UInt

    /// Makes a set from its bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Moving forward at a scan speed.
    public static let scanForward = AVPlaybackUserInterfaceSeekCapabilities(rawValue: 1 << 0)
    /// Moving backward at a scan speed.
    public static let scanBackward = AVPlaybackUserInterfaceSeekCapabilities(rawValue: 1 << 1)
    /// Going to a position.
    public static let seek = AVPlaybackUserInterfaceSeekCapabilities(rawValue: 1 << 2)
}

/// What a part of the timeline holds.
public enum AVPlaybackUserInterfaceTimelineSegmentType: Int, Sendable, Hashable {
    /// The content itself.
    case primary = 0
    /// Advertising.
    case advertisement
    /// Material beside the content.
    case bonus
    /// Closing titles.
    case credits
    /// Opening titles.
    case intro
    /// What happened before.
    case recap
    /// Announcement of other content.
    case trailer
    /// Anything else.
    case other
}
