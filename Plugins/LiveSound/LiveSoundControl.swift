import MediaDecoding
import MediaDevice
import Observation

/// What people see and command of media that is read here and sent to a device live.
///
/// A command shows at once what was asked for. The position is the listener's, not the sender's. There is one speed, one piece
/// of sound and no text: the rest is left to the defaults, which refuse it.
@MainActor
@Observable
package final class LiveSoundControl: AVPlaybackUserInterfaceControllable {
    package private(set) var isReady = false
    package private(set) var isBuffering = true
    package private(set) var error: (any Error)?
    package private(set) var playbackPosition: AVPlaybackUserInterfacePlaybackPosition
    package private(set) var timeRange = CMTimeRange(start: .zero, duration: .zero)
    package private(set) var metadata: AVPlaybackUserInterfaceContentMetadata
    package private(set) var containsLiveStreamingContent = false
    package private(set) var isSeekable = false
    /// What the device lacks.
    package var unsupportedFeatures: AVPlaybackUserInterfaceFeatures = []
    private var plays: Bool
    private var level: Float = 0
    private var mute = false

    @ObservationIgnored private let information: MediaOutputSession.MediaInformation?
    @ObservationIgnored private var isOver = false
    /// What a person commands; the owner carries it out.
    @ObservationIgnored package var onCommand: (Command) -> Void = { _ in }

    package enum Command: Sendable, Hashable {
        /// Look at ``isPlaying``.
        case playing
        /// Seconds.
        case seek(Double)
        case volume(Float)
        case muted(Bool)
    }

    package init(information: MediaOutputSession.MediaInformation?, isPlaying: Bool = true) {
        self.information = information
        plays = isPlaying
        metadata = Self.metadata(nil, information)
        playbackPosition = AVPlaybackUserInterfacePlaybackPosition(
            position: .zero, hostTime: CMClockGetTime(.hostTimeClock), rate: 0)
    }

    // MARK: Commands

    package var isPlaying: Bool {
        get { plays }
        set {
            guard !isOver, newValue != plays else { return }
            plays = newValue
            onCommand(.playing)
        }
    }

    package func seek(to position: CMTime, tolerance: CMTime) {
        guard !isOver, isSeekable else {
            return PlaybackRefusal.refuse("What plays can't be moved to another position.")
        }
        guard position.isNumeric else { return }
        onCommand(.seek(min(max(0, position.seconds), timeRange.duration.seconds)))
    }

    package var volume: Float {
        get { level }
        set {
            guard !isOver, newValue.isFinite else { return }
            level = min(1, max(0, newValue))
            onCommand(.volume(level))
        }
    }

    package var isMuted: Bool {
        get { mute }
        set {
            guard !isOver, newValue != mute else { return }
            mute = newValue
            onCommand(.muted(newValue))
        }
    }

    // MARK: What the media allows

    package var supportedSeekCapabilities: AVPlaybackUserInterfaceSeekCapabilities { isSeekable ? .seek : [] }
    package var seekableTimeRanges: [CMTimeRange]? { isSeekable ? nil : [] }

    // MARK: The owner's word

    /// The media is open.
    package func opened(_ facts: MediaFacts) {
        metadata = Self.metadata(facts, information)
        timeRange = CMTimeRange(start: .zero, duration: Self.time(facts.duration ?? 0))
        containsLiveStreamingContent = facts.duration == nil
        isSeekable = facts.isSeekable
    }

    /// What the receiver that plays it by itself says of the media.
    package func shows(duration: Double?, isSeekable: Bool) {
        let range = CMTimeRange(start: .zero, duration: Self.time(duration ?? 0))
        if timeRange != range { timeRange = range }
        if containsLiveStreamingContent != (duration == nil) { containsLiveStreamingContent = duration == nil }
        if self.isSeekable != isSeekable { self.isSeekable = isSeekable }
    }

    /// It plays, or pauses, whoever told it to.
    package func showIntent(_ isPlaying: Bool) { if plays != isPlaying { plays = isPlaying } }

    /// Nothing is heard, for now; the listener is at `position` seconds.
    package func stands(at position: Double, isBuffering: Bool) {
        isReady = true
        self.isBuffering = isBuffering
        publish(position, at: CMClockGetTime(.hostTimeClock), rate: 0)
    }

    /// `position` seconds were heard at the host time `time`, and it goes on.
    package func runs(from position: Double, at time: CMTime) {
        isReady = true
        isBuffering = false
        publish(position, at: time, rate: 1)
    }

    /// Where it is does not change, but whether it is waited for.
    package func waits(_ isBuffering: Bool) { self.isBuffering = isBuffering }

    /// The level as it is known, changed by whomever.
    package func setLevel(_ level: Float, isMuted: Bool) {
        if self.level != level { self.level = level }
        if mute != isMuted { mute = isMuted }
    }

    /// The media is over; later commands have no effect.
    package func finish(_ error: (any Error)?) {
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
