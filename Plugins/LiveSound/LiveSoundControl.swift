package import MediaDevice
package import MediaReading
import Observation

/// The playback control of media that is decoded here and sent to a device in real time.
///
/// It shows a requested value at once. The position is the listener's, not the sender's. It has one speed, one audio
/// track and no subtitles; everything else keeps the defaults, which refuse it.
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
    /// The features that the device lacks.
    package var unsupportedFeatures: AVPlaybackUserInterfaceFeatures = []
    private var plays: Bool
    private var level: Float = 0
    private var mute = false

    @ObservationIgnored private var information: MediaOutputSession.MediaInformation?
    @ObservationIgnored private var facts: MediaFacts?
    @ObservationIgnored private var isOver = false
    /// The handler of a person's commands.
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
            return PlaybackRefusal.refuse("You can't seek in this.")
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

    // MARK: Capabilities of the media

    package var supportedSeekCapabilities: AVPlaybackUserInterfaceSeekCapabilities { isSeekable ? .seek : [] }
    package var seekableTimeRanges: [CMTimeRange]? { isSeekable ? nil : [] }

    // MARK: State from the owner

    /// Shows the facts of the opened media.
    package func opened(_ facts: MediaFacts) {
        self.facts = facts
        metadata = Self.metadata(facts, information)
        timeRange = CMTimeRange(start: .zero, duration: Self.time(facts.duration ?? 0))
        containsLiveStreamingContent = facts.duration == nil
        isSeekable = facts.isSeekable
    }

    /// Shows other information about the media.
    package func shows(_ information: MediaOutputSession.MediaInformation?) {
        self.information = information
        metadata = Self.metadata(facts, information)
    }

    /// Shows the duration and seekability that a receiver reports for media it plays itself.
    package func shows(duration: Double?, isSeekable: Bool) {
        let range = CMTimeRange(start: .zero, duration: Self.time(duration ?? 0))
        if timeRange != range { timeRange = range }
        if containsLiveStreamingContent != (duration == nil) { containsLiveStreamingContent = duration == nil }
        if self.isSeekable != isSeekable { self.isSeekable = isSeekable }
    }

    /// Shows playing or paused, whatever the cause.
    package func showIntent(_ isPlaying: Bool) { if plays != isPlaying { plays = isPlaying } }

    /// Shows that playback has stopped at `position` seconds for now.
    package func stands(at position: Double, isBuffering: Bool) {
        isReady = true
        self.isBuffering = isBuffering
        publish(position, at: CMClockGetTime(.hostTimeClock), rate: 0)
    }

    /// Shows that playback runs from `position` seconds at the host time `time`.
    package func runs(from position: Double, at time: CMTime) {
        isReady = true
        isBuffering = false
        publish(position, at: time, rate: 1)
    }

    /// Shows whether playback waits for data, without a change of the position.
    package func waits(_ isBuffering: Bool) { self.isBuffering = isBuffering }

    /// Shows the volume and mute state, whatever changed them.
    package func setLevel(_ level: Float, isMuted: Bool) {
        if self.level != level { self.level = level }
        if mute != isMuted { mute = isMuted }
    }

    /// Ends the control; later commands have no effect.
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

    /// Returns the metadata. The app's information takes precedence over the file's tags.
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
