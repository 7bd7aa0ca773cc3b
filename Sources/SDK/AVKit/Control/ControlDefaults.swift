public import CoreMedia

// Default implementations of a control object's optional members. A property with its default value isn't offered to
// people, and a write to it is refused. Available on Linux only.

extension AVPlaybackUserInterfacePlaybackControllable {
    /// The default: `false`.
    public var isBuffering: Bool { false }

    /// The default: 1. A write is refused.
    public var playbackSpeed: Float {
        get {
            PlaybackRefusal.readDefault(of: .playbackSpeed)
            return 1
        }
        set { PlaybackRefusal.refuse("This device plays at one speed.") }
    }

    /// The default: 0. A write is refused.
    public var scanSpeed: Float {
        get { 0 }
        set { PlaybackRefusal.refuse("This device can't scan.") }
    }

    /// The default: `normal`. A write of another state is refused.
    public var state: AVPlaybackUserInterfacePlaybackState {
        get { .normal }
        set {
            switch newValue {
            case .normal: break
            case .scanning: PlaybackRefusal.refuse("This device can't scan.")
            case .scrubbing: PlaybackRefusal.refuse("This device can't be scrubbed: seek to a position instead.")
            }
        }
    }

    /// The default: none.
    public var supportedSeekCapabilities: AVPlaybackUserInterfaceSeekCapabilities { [] }

    /// The default: `false`.
    public var containsLiveStreamingContent: Bool { false }

    /// The default: `nil`.
    public var error: (any Error)? { nil }

    /// The default: none, besides those of properties with their default implementation.
    public var unsupportedFeatures: AVPlaybackUserInterfaceFeatures { [] }

    /// The default: `nil`.
    public var commandError: (any Error)? { nil }
}

extension AVPlaybackUserInterfaceTimeControllable {
    /// The default: the seek is refused.
    public func seek(to position: CMTime, tolerance: CMTime) {
        PlaybackRefusal.refuse("This device can't seek.")
    }

    /// The default: ``currentSegment`` alone.
    public var segments: [AVPlaybackUserInterfaceTimelineSegment] { [currentSegment] }

    /// The default: the whole of ``timeRange``.
    public var currentSegment: AVPlaybackUserInterfaceTimelineSegment {
        AVPlaybackUserInterfaceTimelineSegment(
            timeRange: timeRange, segmentType: .primary, marked: false, requiresLinearPlayback: false, identifier: nil)
    }

    /// The default: `nil` for all of ``timeRange``, as far as
    /// ``AVPlaybackUserInterfacePlaybackControllable/supportedSeekCapabilities`` allow it.
    public var seekableTimeRanges: [CMTimeRange]? { nil }
}

extension AVPlaybackUserInterfaceMediaSelectionControllable {
    /// The default: none.
    public var audioOptions: [AVPlaybackUserInterfaceMediaSelectionOption] { [] }

    /// The default: none.
    public var audioDescriptionOptions: [AVPlaybackUserInterfaceMediaSelectionOption] { [] }

    /// The default: none.
    public var legibleOptions: [AVPlaybackUserInterfaceMediaSelectionOption] { [] }

    /// The default: `nil`. A write is refused.
    public var currentAudioOption: AVPlaybackUserInterfaceMediaSelectionOption? {
        get { nil }
        set { PlaybackRefusal.refuse("There is no other audio to choose.") }
    }

    /// The default: `nil`. A write is refused.
    public var currentAudioDescriptionOption: AVPlaybackUserInterfaceMediaSelectionOption? {
        get { nil }
        set { PlaybackRefusal.refuse("There is no audio description to choose.") }
    }

    /// The default: `nil`. A write is refused.
    public var currentLegibleOption: AVPlaybackUserInterfaceMediaSelectionOption? {
        get { nil }
        set { PlaybackRefusal.refuse("There are no subtitles to choose.") }
    }
}

extension AVPlaybackUserInterfaceVolumeControllable {
    /// The default: `true`.
    public var hasAudio: Bool { true }

    /// The default: `false`. A write is refused.
    public var isMuted: Bool {
        get {
            PlaybackRefusal.readDefault(of: .mute)
            return false
        }
        set { PlaybackRefusal.refuse("This device can't be muted.") }
    }

    /// The default: 0, which people don't see. A write is refused.
    public var volume: Float {
        get {
            PlaybackRefusal.readDefault(of: .volume)
            return 0
        }
        set { PlaybackRefusal.refuse("The volume of this device can't be set.") }
    }
}
