public import Observation

/// A control object in the earlier spelling of ``AVPlaybackUserInterfaceControllable``: a class or a structure.
///
/// Control objects of the system have both spellings; if a name has two types, the later one is preferred. A position
/// is set instead of sought, and errors have another name; everything else has the same meaning. Use the later spelling
/// in new code.
@MainActor
public protocol AVInterfaceControllable: AVInterfaceMediaSelectionControllable,
    AVInterfaceMetadataProviding, AVInterfacePlaybackControllable, AVInterfaceTimeControllable,
    AVInterfaceVolumeControllable
{}

/// Playback state, speed and errors; see ``AVPlaybackUserInterfacePlaybackControllable``.
@MainActor public protocol AVInterfacePlaybackControllable: Observable {
    /// A Boolean value that indicates whether enough data is loaded to play.
    @_disfavoredOverload var isReady: Bool { get }
    /// A Boolean value that indicates whether playback isn't paused.
    @_disfavoredOverload var isPlaying: Bool { get set }
    /// A Boolean value that indicates whether playback waits for data.
    @_disfavoredOverload var isBuffering: Bool { get }
    /// The requested playback speed; 1 is normal.
    @_disfavoredOverload var playbackSpeed: Float { get set }
    /// The speed while ``state`` is scanning: positive forward, negative backward.
    @_disfavoredOverload var scanSpeed: Float { get set }
    /// The state that indicates whether the person is scanning or scrubbing.
    @_disfavoredOverload var state: AVInterfacePlaybackState { get set }
    /// The kinds of seeking that the content currently allows.
    @_disfavoredOverload var supportedSeekCapabilities: AVInterfaceSeekCapabilities { get }
    /// A Boolean value that indicates whether the content is live.
    @_disfavoredOverload var containsLiveStreamingContent: Bool { get }
    /// The error that prevents playback; `nil` if there is none.
    @_disfavoredOverload var playbackError: (any Error)? { get }
}

/// The position of playback and the ways to change it; see ``AVPlaybackUserInterfaceTimeControllable``.
@MainActor public protocol AVInterfaceTimeControllable: Observable {
    /// The whole timeline.
    @_disfavoredOverload var timeRange: CMTimeRange { get }
    /// The position, which the extension keeps up to date. Setting it seeks.
    @_disfavoredOverload var currentPlaybackPosition: CMTime { get set }
    /// The segments of the timeline, in order, without gaps or overlaps.
    @_disfavoredOverload var segments: [AVInterfaceTimelineSegment] { get }
    /// The current segment.
    @_disfavoredOverload var currentSegment: AVInterfaceTimelineSegment { get }
    /// The ranges in which seeking is allowed: `nil` for all of ``timeRange``, empty for none.
    @_disfavoredOverload var seekableTimeRanges: [CMTimeRange]? { get }
}

/// Audio tracks and subtitles; see ``AVPlaybackUserInterfaceMediaSelectionControllable``.
@MainActor public protocol AVInterfaceMediaSelectionControllable: Observable {
    /// The selected member of ``audioOptions``.
    @_disfavoredOverload var currentAudioOption: AVInterfaceMediaSelectionOptionSource? { get set }
    /// The selected member of ``legibleOptions``; `nil` for none.
    @_disfavoredOverload var currentLegibleOption: AVInterfaceMediaSelectionOptionSource? { get set }
    /// The available audio tracks, the preferred one first.
    @_disfavoredOverload var audioOptions: [AVInterfaceMediaSelectionOptionSource] { get }
    /// The available subtitles and captions.
    @_disfavoredOverload var legibleOptions: [AVInterfaceMediaSelectionOptionSource] { get }
}

/// The volume of one session; see ``AVPlaybackUserInterfaceVolumeControllable``.
@MainActor public protocol AVInterfaceVolumeControllable: Observable {
    /// A Boolean value that indicates whether the media has audio.
    @_disfavoredOverload var hasAudio: Bool { get }
    /// A Boolean value that indicates whether the audio is muted, whatever the volume.
    @_disfavoredOverload var isMuted: Bool { get set }
    /// The volume, `0.0...1.0`.
    @_disfavoredOverload var volume: Float { get set }
}

/// The metadata of the current item; see ``AVPlaybackUserInterfaceMetadataProviding``.
@MainActor public protocol AVInterfaceMetadataProviding: Observable {
    /// The title, subtitle, artwork and picture size.
    @_disfavoredOverload var metadata: AVInterfaceMetadata { get }
}
