import Observation

/// The earlier spelling of ``AVPlaybackUserInterfaceControllable``: works as well, as a class or as a structure.
///
/// A control object that the system hands out has both spellings; where a name has two types, the later one is preferred.
///
/// A position is set instead of sought, and errors have another name; everything else means the same. New sources
/// use the later spelling.
@MainActor
public protocol AVInterfaceControllable: AVInterfaceMediaSelectionControllable,
    AVInterfaceMetadataProviding, AVInterfacePlaybackControllable, AVInterfaceTimeControllable,
    AVInterfaceVolumeControllable
{}

/// Playing, pausing, speed, and what is wrong; see ``AVPlaybackUserInterfacePlaybackControllable``.
@MainActor public protocol AVInterfacePlaybackControllable: Observable {
    /// Whether enough is loaded to play.
    @_disfavoredOverload var isReady: Bool { get }
    /// Whether playback is wanted.
    @_disfavoredOverload var isPlaying: Bool { get set }
    /// Whether playback cannot go on for want of data.
    @_disfavoredOverload var isBuffering: Bool { get }
    /// The wanted speed of playback: 1 is normal.
    @_disfavoredOverload var playbackSpeed: Float { get set }
    /// The speed used while ``state`` is scanning: above 0 forward, below 0 backward.
    @_disfavoredOverload var scanSpeed: Float { get set }
    /// Whether the person is scanning or scrubbing.
    @_disfavoredOverload var state: AVInterfacePlaybackState { get set }
    /// What kinds of seeking the content allows now.
    @_disfavoredOverload var supportedSeekCapabilities: AVInterfaceSeekCapabilities { get }
    /// Whether the content is live.
    @_disfavoredOverload var containsLiveStreamingContent: Bool { get }
    /// What keeps playback from working; `nil` while all is well.
    @_disfavoredOverload var playbackError: (any Error)? { get }
}

/// Where playback is, and where it can go; see ``AVPlaybackUserInterfaceTimeControllable``.
@MainActor public protocol AVInterfaceTimeControllable: Observable {
    /// The whole timeline.
    @_disfavoredOverload var timeRange: CMTimeRange { get }
    /// The position, kept up to date by the extension; a write asks for another one.
    @_disfavoredOverload var currentPlaybackPosition: CMTime { get set }
    /// The parts of the timeline, in order, without gaps and overlaps.
    @_disfavoredOverload var segments: [AVInterfaceTimelineSegment] { get }
    /// The part that plays.
    @_disfavoredOverload var currentSegment: AVInterfaceTimelineSegment { get }
    /// Where seeking is allowed: `nil` for all of ``timeRange``, empty for nowhere.
    @_disfavoredOverload var seekableTimeRanges: [CMTimeRange]? { get }
}

/// Languages and subtitles; see ``AVPlaybackUserInterfaceMediaSelectionControllable``.
@MainActor public protocol AVInterfaceMediaSelectionControllable: Observable {
    /// The chosen member of ``audioOptions``.
    @_disfavoredOverload var currentAudioOption: AVInterfaceMediaSelectionOptionSource? { get set }
    /// The chosen member of ``legibleOptions``; `nil` for no text.
    @_disfavoredOverload var currentLegibleOption: AVInterfaceMediaSelectionOptionSource? { get set }
    /// The choices of audio, the preferred one first.
    @_disfavoredOverload var audioOptions: [AVInterfaceMediaSelectionOptionSource] { get }
    /// The choices of subtitles and captions.
    @_disfavoredOverload var legibleOptions: [AVInterfaceMediaSelectionOptionSource] { get }
}

/// The loudness of one session; see ``AVPlaybackUserInterfaceVolumeControllable``.
@MainActor public protocol AVInterfaceVolumeControllable: Observable {
    /// Whether there is any sound.
    @_disfavoredOverload var hasAudio: Bool { get }
    /// Whether the sound is off, whatever its level.
    @_disfavoredOverload var isMuted: Bool { get set }
    /// The level, `0.0...1.0`.
    @_disfavoredOverload var volume: Float { get set }
}

/// What plays; see ``AVPlaybackUserInterfaceMetadataProviding``.
@MainActor public protocol AVInterfaceMetadataProviding: Observable {
    /// Title, subtitle, artwork and size of the picture.
    @_disfavoredOverload var metadata: AVInterfaceMetadata { get }
}
