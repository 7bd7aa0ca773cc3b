import Observation

/// The earlier spelling of ``AVPlaybackUserInterfaceControllable``: works as well, as a class or as a structure.
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
    var isReady: Bool { get }
    /// Whether playback is wanted.
    var isPlaying: Bool { get set }
    /// Whether playback cannot go on for want of data.
    var isBuffering: Bool { get }
    /// The wanted speed of playback: 1 is normal.
    var playbackSpeed: Float { get set }
    /// The speed used while ``state`` is scanning: above 0 forward, below 0 backward.
    var scanSpeed: Float { get set }
    /// Whether the person is scanning or scrubbing.
    var state: AVInterfacePlaybackState { get set }
    /// What kinds of seeking the content allows now.
    var supportedSeekCapabilities: AVInterfaceSeekCapabilities { get }
    /// Whether the content is live.
    var containsLiveStreamingContent: Bool { get }
    /// What keeps playback from working; `nil` while all is well.
    var playbackError: (any Error)? { get }
}

/// Where playback is, and where it can go; see ``AVPlaybackUserInterfaceTimeControllable``.
@MainActor public protocol AVInterfaceTimeControllable: Observable {
    /// The whole timeline.
    var timeRange: CMTimeRange { get }
    /// The position, kept up to date by the extension; a write asks for another one.
    var currentPlaybackPosition: CMTime { get set }
    /// The parts of the timeline, in order, without gaps and overlaps.
    var segments: [AVInterfaceTimelineSegment] { get }
    /// The part that plays.
    var currentSegment: AVInterfaceTimelineSegment { get }
    /// Where seeking is allowed: `nil` for all of ``timeRange``, empty for nowhere.
    var seekableTimeRanges: [CMTimeRange]? { get }
}

/// Languages and subtitles; see ``AVPlaybackUserInterfaceMediaSelectionControllable``.
@MainActor public protocol AVInterfaceMediaSelectionControllable: Observable {
    /// The chosen member of ``audioOptions``.
    var currentAudioOption: AVInterfaceMediaSelectionOptionSource? { get set }
    /// The chosen member of ``legibleOptions``; `nil` for no text.
    var currentLegibleOption: AVInterfaceMediaSelectionOptionSource? { get set }
    /// The choices of audio, the preferred one first.
    var audioOptions: [AVInterfaceMediaSelectionOptionSource] { get }
    /// The choices of subtitles and captions.
    var legibleOptions: [AVInterfaceMediaSelectionOptionSource] { get }
}

/// The loudness of one session; see ``AVPlaybackUserInterfaceVolumeControllable``.
@MainActor public protocol AVInterfaceVolumeControllable: Observable {
    /// Whether there is any sound.
    var hasAudio: Bool { get }
    /// Whether the sound is off, whatever its level.
    var isMuted: Bool { get set }
    /// The level, `0.0...1.0`.
    var volume: Float { get set }
}

/// What plays; see ``AVPlaybackUserInterfaceMetadataProviding``.
@MainActor public protocol AVInterfaceMetadataProviding: Observable {
    /// Title, subtitle, artwork and size of the picture.
    var metadata: AVInterfaceMetadata { get }
}
