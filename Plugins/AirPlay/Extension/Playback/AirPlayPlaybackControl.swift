import AirPlayProtocol
import MediaDecoding
import MediaDevice
import Observation

/// What people see and command of the media that is sent to a receiver.
///
/// A command shows at once what was asked for. The position is the listener's, not the sender's.
@MainActor
@Observable
final class AirPlayPlaybackControl: AVPlaybackUserInterfaceControllable {
    private(set) var isReady = false
    private(set) var isBuffering = true
    private(set) var error: (any Error)?
    private(set) var playbackPosition: AVPlaybackUserInterfacePlaybackPosition
    private(set) var timeRange = CMTimeRange(start: .zero, duration: .zero)
    private(set) var metadata: AVPlaybackUserInterfaceContentMetadata
    private(set) var containsLiveStreamingContent = false
    private(set) var isSeekable = false
    private var plays: Bool
    private var level: Float = 0
    private var mute = false

    @ObservationIgnored private let information: MediaOutputSession.MediaInformation?
    @ObservationIgnored private var isOver = false
    /// What a person commands; the owner carries it out.
    @ObservationIgnored var onCommand: (Command) -> Void = { _ in }

    enum Command: Sendable, Hashable {
        /// Look at ``isPlaying``.
        case playing
        /// Seconds.
        case seek(Double)
        case volume(Float)
        case muted(Bool)
    }

    init(information: MediaOutputSession.MediaInformation?, isPlaying: Bool = true) {
        self.information = information
        plays = isPlaying
        metadata = Self.metadata(nil, information)
        playbackPosition = AVPlaybackUserInterfacePlaybackPosition(
            position: .zero, hostTime: CMClockGetTime(.hostTimeClock), rate: 0)
    }

    // MARK: Commands

    var isPlaying: Bool {
        get { plays }
        set {
            guard !isOver, newValue != plays else { return }
            plays = newValue
            onCommand(.playing)
        }
    }

    func seek(to position: CMTime, tolerance: CMTime) {
        guard !isOver, isSeekable, position.isNumeric else { return }
        onCommand(.seek(min(max(0, position.seconds), timeRange.duration.seconds)))
    }

    var volume: Float {
        get { level }
        set {
            guard !isOver, newValue.isFinite else { return }
            level = min(1, max(0, newValue))
            onCommand(.volume(level))
        }
    }

    var isMuted: Bool {
        get { mute }
        set {
            guard !isOver, newValue != mute else { return }
            mute = newValue
            onCommand(.muted(newValue))
        }
    }

    var playbackSpeed: Float {
        get { 1 }
        set {}
    }

    var scanSpeed: Float {
        get { 0 }
        set {}
    }

    var state: AVPlaybackUserInterfacePlaybackState {
        get { .normal }
        set {}
    }

    // MARK: What a stream of sound always is

    var hasAudio: Bool { true }
    var supportedSeekCapabilities: AVPlaybackUserInterfaceSeekCapabilities { isSeekable ? .seek : [] }
    var seekableTimeRanges: [CMTimeRange]? { isSeekable ? nil : [] }
    var segments: [AVPlaybackUserInterfaceTimelineSegment] { [currentSegment] }
    var currentSegment: AVPlaybackUserInterfaceTimelineSegment {
        AVPlaybackUserInterfaceTimelineSegment(
            timeRange: timeRange, segmentType: .primary, marked: false, requiresLinearPlayback: false, identifier: nil)
    }

    var audioOptions: [AVPlaybackUserInterfaceMediaSelectionOption] { [] }
    var audioDescriptionOptions: [AVPlaybackUserInterfaceMediaSelectionOption] { [] }
    var legibleOptions: [AVPlaybackUserInterfaceMediaSelectionOption] { [] }
    var currentAudioOption: AVPlaybackUserInterfaceMediaSelectionOption? {
        get { nil }
        set {}
    }
    var currentAudioDescriptionOption: AVPlaybackUserInterfaceMediaSelectionOption? {
        get { nil }
        set {}
    }
    var currentLegibleOption: AVPlaybackUserInterfaceMediaSelectionOption? {
        get { nil }
        set {}
    }

    // MARK: The owner's word

    /// The media is open.
    func opened(_ facts: MediaFacts) {
        metadata = Self.metadata(facts, information)
        timeRange = CMTimeRange(start: .zero, duration: Self.time(facts.duration ?? 0))
        containsLiveStreamingContent = facts.duration == nil
        isSeekable = facts.isSeekable
    }

    /// What the receiver that plays it by itself says of the media.
    func shows(duration: Double?, isSeekable: Bool) {
        let range = CMTimeRange(start: .zero, duration: Self.time(duration ?? 0))
        if timeRange != range { timeRange = range }
        if containsLiveStreamingContent != (duration == nil) { containsLiveStreamingContent = duration == nil }
        if self.isSeekable != isSeekable { self.isSeekable = isSeekable }
    }

    /// It plays, or pauses, whoever told it to.
    func showIntent(_ isPlaying: Bool) { if plays != isPlaying { plays = isPlaying } }

    /// Nothing is heard, for now; the listener is at `position` seconds.
    func stands(at position: Double, isBuffering: Bool) {
        isReady = true
        self.isBuffering = isBuffering
        publish(position, at: CMClockGetTime(.hostTimeClock), rate: 0)
    }

    /// `position` seconds were heard at the host time `time`, and it goes on.
    func runs(from position: Double, at time: CMTime) {
        isReady = true
        isBuffering = false
        publish(position, at: time, rate: 1)
    }

    /// Where it is does not change, but whether it is waited for.
    func waits(_ isBuffering: Bool) { self.isBuffering = isBuffering }

    /// The level as it is known, changed by whomever.
    func setLevel(_ level: Float, isMuted: Bool) {
        if self.level != level { self.level = level }
        if mute != isMuted { mute = isMuted }
    }

    /// The media is over; later commands have no effect.
    func finish(_ error: (any Error)?) {
        isOver = true
        plays = false
        self.error = error
        let now = CMClockGetTime(.hostTimeClock)
        let elapsed = (now - playbackPosition.hostTime).seconds * Double(playbackPosition.rate)
        stands(at: playbackPosition.position.seconds + elapsed, isBuffering: false)
    }

    private func publish(_ position: Double, at time: CMTime, rate: Float) {
        playbackPosition = AVPlaybackUserInterfacePlaybackPosition(
            position: Self.time(position), hostTime: time, rate: rate)
    }

    private static func time(_ seconds: Double) -> CMTime {
        CMTime(seconds: seconds, preferredTimescale: 1_000_000_000)
    }

    /// The app's own words win over the file's tags.
    private static func metadata(
        _ facts: MediaFacts?, _ information: MediaOutputSession.MediaInformation?
    ) -> AVPlaybackUserInterfaceContentMetadata {
        let artist = information?.artist ?? facts?.artist
        let album = information?.title == nil ? facts?.album : nil
        let subtitle = [artist, album].compactMap { $0 }.joined(separator: " · ")
        let artwork: [AVPlaybackUserInterfaceContentArtwork] =
            information?.artworkURL.map { [.artwork(url: $0, contentType: .image, size: .zero)] } ?? []
        return AVPlaybackUserInterfaceContentMetadata(
            title: information?.title ?? facts?.title, subtitle: subtitle.isEmpty ? nil : subtitle,
            artworkRepresentations: artwork)
    }
}
