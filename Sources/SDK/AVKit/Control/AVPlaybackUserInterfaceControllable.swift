public import Observation

/// A control object: the state of playback that a person sees, and the commands they give.
///
/// An extension provides such an object for every session and keeps it up to date. The system and the media app observe
/// it and write to it. A write is a command, and at the same time state that the extension keeps.
@MainActor
public protocol AVPlaybackUserInterfaceControllable: AVPlaybackUserInterfaceMediaSelectionControllable,
    AVPlaybackUserInterfaceMetadataProviding, AVPlaybackUserInterfacePlaybackControllable,
    AVPlaybackUserInterfaceTimeControllable, AVPlaybackUserInterfaceVolumeControllable
{}

/// Playback state, speed and errors.
@MainActor public protocol AVPlaybackUserInterfacePlaybackControllable: AnyObject, Observable {
    /// A Boolean value that indicates whether enough data is loaded to play. It becomes `true` once and stays so; see
    /// ``isBuffering`` for stalls.
    var isReady: Bool { get }
    /// A Boolean value that indicates whether playback isn't paused. It stays `true` during a stall, so playback
    /// continues by itself.
    var isPlaying: Bool { get set }
    /// A Boolean value that indicates whether playback waits for data, before or after ``isReady``.
    var isBuffering: Bool { get }
    /// The requested playback speed; 1 is normal. It doesn't change during a scan.
    var playbackSpeed: Float { get set }
    /// The speed while ``state`` is scanning: positive forward, negative backward.
    var scanSpeed: Float { get set }
    /// The state that indicates whether the person is scanning or scrubbing.
    var state: AVPlaybackUserInterfacePlaybackState { get set }
    /// The kinds of seeking that the content currently allows.
    var supportedSeekCapabilities: AVPlaybackUserInterfaceSeekCapabilities { get }
    /// A Boolean value that indicates whether the content is live.
    var containsLiveStreamingContent: Bool { get }
    /// The error that prevents playback; `nil` if there is none.
    var error: (any Error)? { get }
    /// The features that the device currently lacks. Available on Linux only.
    ///
    /// The system refuses a write to one of them before it reaches the object. Properties with their default
    /// implementation needn't be included.
    var unsupportedFeatures: AVPlaybackUserInterfaceFeatures { get }
    /// The reason why the app's last write had no effect; `nil` after a successful one. Only the object of an app
    /// reports it. Available on Linux only.
    var commandError: (any Error)? { get }
}

/// The position of playback and the ways to change it.
@MainActor public protocol AVPlaybackUserInterfaceTimeControllable: AnyObject, Observable {
    /// The whole timeline. For live content without a window it has no duration and lies at the live edge.
    var timeRange: CMTimeRange { get }
    /// The position, host time and rate at one instant. Replace it on every discontinuity, and not in between.
    var playbackPosition: AVPlaybackUserInterfacePlaybackPosition { get }
    /// Seeks to a position. The result is a new ``playbackPosition``.
    ///
    /// - Parameters:
    ///   - position: The position on the timeline.
    ///   - tolerance: The accepted distance from the position: zero for an exact seek, positive infinity for a fast
    ///     one.
    func seek(to position: CMTime, tolerance: CMTime)
    /// The segments of the timeline, in order, without gaps or overlaps.
    var segments: [AVPlaybackUserInterfaceTimelineSegment] { get }
    /// The current segment.
    var currentSegment: AVPlaybackUserInterfaceTimelineSegment { get }
    /// The ranges in which seeking is allowed, in order, without overlaps: `nil` for all of ``timeRange``, empty for
    /// none.
    var seekableTimeRanges: [CMTimeRange]? { get }
}

/// Audio tracks, audio descriptions and subtitles.
@MainActor public protocol AVPlaybackUserInterfaceMediaSelectionControllable: AnyObject, Observable {
    /// The selected member of ``audioOptions``.
    var currentAudioOption: AVPlaybackUserInterfaceMediaSelectionOption? { get set }
    /// The selected member of ``audioDescriptionOptions``, played along with the main audio; `nil` for none.
    var currentAudioDescriptionOption: AVPlaybackUserInterfaceMediaSelectionOption? { get set }
    /// The selected member of ``legibleOptions``; `nil` for none.
    var currentLegibleOption: AVPlaybackUserInterfaceMediaSelectionOption? { get set }
    /// The available audio tracks, the preferred one first.
    var audioOptions: [AVPlaybackUserInterfaceMediaSelectionOption] { get }
    /// The available audio descriptions, the preferred one first.
    var audioDescriptionOptions: [AVPlaybackUserInterfaceMediaSelectionOption] { get }
    /// The available subtitles and captions.
    var legibleOptions: [AVPlaybackUserInterfaceMediaSelectionOption] { get }
}

/// The volume of one session.
@MainActor public protocol AVPlaybackUserInterfaceVolumeControllable: AnyObject, Observable {
    /// A Boolean value that indicates whether the media has audio.
    var hasAudio: Bool { get }
    /// A Boolean value that indicates whether the audio is muted, whatever the volume.
    var isMuted: Bool { get set }
    /// The volume, `0.0...1.0`.
    var volume: Float { get set }
}

/// The metadata of the current item.
@MainActor public protocol AVPlaybackUserInterfaceMetadataProviding: AnyObject, Observable {
    /// The title, subtitle, artwork and picture size.
    var metadata: AVPlaybackUserInterfaceContentMetadata { get }
}
