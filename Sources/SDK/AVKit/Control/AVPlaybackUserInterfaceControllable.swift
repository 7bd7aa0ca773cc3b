import Observation

/// Everything a person can see and do about what plays on a device.
///
/// An extension gives an object of this kind for every session and keeps it up to date; the system and the media app
/// read it by observation and write to it. A write is a command, and at the same time state that the extension keeps.
@MainActor
public protocol AVPlaybackUserInterfaceControllable: AVPlaybackUserInterfaceMediaSelectionControllable,
    AVPlaybackUserInterfaceMetadataProviding, AVPlaybackUserInterfacePlaybackControllable,
    AVPlaybackUserInterfaceTimeControllable, AVPlaybackUserInterfaceVolumeControllable
{}

/// Playing, pausing, speed, and what is wrong.
@MainActor public protocol AVPlaybackUserInterfacePlaybackControllable: AnyObject, Observable {
    /// Whether enough is loaded to play. Becomes true once and stays so; stalls are ``isBuffering``.
    var isReady: Bool { get }
    /// Whether playback is wanted. Stays true during a stall, so playback goes on by itself.
    var isPlaying: Bool { get set }
    /// Whether playback cannot go on for want of data; possible before and after ``isReady``.
    var isBuffering: Bool { get }
    /// The wanted speed of playback: 1 is normal. Kept while scanning.
    var playbackSpeed: Float { get set }
    /// The speed used while ``state`` is scanning: above 0 forward, below 0 backward.
    var scanSpeed: Float { get set }
    /// Whether the person is scanning or scrubbing.
    var state: AVPlaybackUserInterfacePlaybackState { get set }
    /// What kinds of seeking the content allows now.
    var supportedSeekCapabilities: AVPlaybackUserInterfaceSeekCapabilities { get }
    /// Whether the content is live.
    var containsLiveStreamingContent: Bool { get }
    /// What keeps playback from working; `nil` while all is well.
    var error: (any Error)? { get }
    /// Features the device lacks now; a write to one of them is refused before it reaches the object. Properties that are
    /// left to their defaults need not be named. Only on Linux.
    var unsupportedFeatures: AVPlaybackUserInterfaceFeatures { get }
    /// Why the last write of an app had no effect; `nil` once one has. Only an app's object tells it. Only on Linux.
    var commandError: (any Error)? { get }
}

/// Where playback is, and where it can go.
@MainActor public protocol AVPlaybackUserInterfaceTimeControllable: AnyObject, Observable {
    /// The whole timeline. For live content without a window: of no duration, at the live edge.
    var timeRange: CMTimeRange { get }
    /// Position, host time and rate, taken together; replaced on every discontinuity and never between two.
    var playbackPosition: AVPlaybackUserInterfacePlaybackPosition { get }
    /// Asks for another position. The answer is a new ``playbackPosition``.
    ///
    /// - Parameters:
    ///   - position: On the timeline.
    ///   - tolerance: How far off is good enough: zero for exact, positive infinity for fast.
    func seek(to position: CMTime, tolerance: CMTime)
    /// The parts of the timeline, in order, without gaps and overlaps.
    var segments: [AVPlaybackUserInterfaceTimelineSegment] { get }
    /// The part that plays.
    var currentSegment: AVPlaybackUserInterfaceTimelineSegment { get }
    /// Where seeking is allowed: `nil` for all of ``timeRange``, empty for nowhere; else in order, without overlaps.
    var seekableTimeRanges: [CMTimeRange]? { get }
}

/// Languages, descriptions and subtitles.
@MainActor public protocol AVPlaybackUserInterfaceMediaSelectionControllable: AnyObject, Observable {
    /// The chosen member of ``audioOptions``.
    var currentAudioOption: AVPlaybackUserInterfaceMediaSelectionOption? { get set }
    /// The chosen member of ``audioDescriptionOptions``, played along with the main audio; `nil` for none.
    var currentAudioDescriptionOption: AVPlaybackUserInterfaceMediaSelectionOption? { get set }
    /// The chosen member of ``legibleOptions``; `nil` for no text.
    var currentLegibleOption: AVPlaybackUserInterfaceMediaSelectionOption? { get set }
    /// The choices of audio, the preferred one first.
    var audioOptions: [AVPlaybackUserInterfaceMediaSelectionOption] { get }
    /// The choices of audio description, the preferred one first.
    var audioDescriptionOptions: [AVPlaybackUserInterfaceMediaSelectionOption] { get }
    /// The choices of subtitles and captions.
    var legibleOptions: [AVPlaybackUserInterfaceMediaSelectionOption] { get }
}

/// The loudness of one session.
@MainActor public protocol AVPlaybackUserInterfaceVolumeControllable: AnyObject, Observable {
    /// Whether there is any sound.
    var hasAudio: Bool { get }
    /// Whether the sound is off, whatever its level.
    var isMuted: Bool { get set }
    /// The level, `0.0...1.0`.
    var volume: Float { get set }
}

/// What plays.
@MainActor public protocol AVPlaybackUserInterfaceMetadataProviding: AnyObject, Observable {
    /// Title, subtitle, artwork and size of the picture.
    var metadata: AVPlaybackUserInterfaceContentMetadata { get }
}
