import MPDProtocol
import MediaDevice
import Observation

/// What people see and command of a song on a server.
///
/// A command shows at once what was asked for; the server's next status confirms or corrects it. MPD has one speed, one
/// audio track, no text and no mute: these are left to the defaults, which refuse them.
@MainActor
@Observable
final class MPDPlaybackControl: AVPlaybackUserInterfaceControllable {
    private(set) var isReady = false
    private(set) var isBuffering = true
    private(set) var error: (any Error)?
    private(set) var containsLiveStreamingContent = false
    private(set) var playbackPosition: AVPlaybackUserInterfacePlaybackPosition
    private(set) var timeRange = CMTimeRange(start: .zero, duration: .zero)
    private(set) var metadata: AVPlaybackUserInterfaceContentMetadata
    private var plays = true
    private var level: Float = 0
    private var hasLevel = true

    @ObservationIgnored private let player: MPDPlayer
    @ObservationIgnored private let information: MediaOutputSession.MediaInformation?
    @ObservationIgnored private var positions = MPDPositionTracker()
    @ObservationIgnored private var isOver = false

    init(player: MPDPlayer, information: MediaOutputSession.MediaInformation?) {
        self.player = player
        self.information = information
        level = player.volume ?? 0
        hasLevel = player.volume != nil
        metadata = Self.metadata(song: nil, information: information)
        playbackPosition = AVPlaybackUserInterfacePlaybackPosition(
            position: .zero, hostTime: CMClockGetTime(.hostTimeClock), rate: 0)
    }

    // MARK: Commands

    var isPlaying: Bool {
        get { plays }
        set {
            guard !isOver else { return }
            plays = newValue
            player.enqueue(MPDCommand("pause", newValue ? "0" : "1"))
        }
    }

    func seek(to position: CMTime, tolerance: CMTime) {
        guard !containsLiveStreamingContent else {
            return PlaybackRefusal.refuse("A live stream has no other position.")
        }
        guard !isOver, position.isNumeric else { return }
        let target = min(max(0, position.seconds), timeRange.duration.seconds)
        // Milliseconds: a shorter number would be written with an exponent.
        player.enqueue(MPDCommand("seekcur", String((target * 1000).rounded() / 1000)))
    }

    var volume: Float {
        get { level }
        set {
            guard !isOver else { return }
            guard player.volume != nil else {
                return PlaybackRefusal.refuse("The server has no mixer, so its volume can't be set.")
            }
            player.setVolume(newValue)
            level = player.volume ?? 0
        }
    }

    // MARK: What a song on MPD allows

    var supportedSeekCapabilities: AVPlaybackUserInterfaceSeekCapabilities { containsLiveStreamingContent ? [] : .seek }
    var seekableTimeRanges: [CMTimeRange]? { containsLiveStreamingContent ? [] : nil }
    /// A server without a mixer has no level.
    var unsupportedFeatures: AVPlaybackUserInterfaceFeatures { hasLevel ? [] : .volume }

    // MARK: The server's word

    /// Takes the server's state while our song is the current one.
    func update(_ observation: MPDPlayer.Observation, isDecoding: Bool) {
        let status = observation.status
        if isDecoding { assign(\.isReady, true) }
        assign(\.isBuffering, !isDecoding)
        assign(\.plays, status.state == .play)
        assign(\.level, player.volume ?? 0)
        assign(\.hasLevel, player.volume != nil)
        let duration = status.duration ?? observation.song?.duration
        assign(\.containsLiveStreamingContent, isDecoding && duration == nil)
        assign(\.timeRange, CMTimeRange(start: .zero, duration: Self.time(duration ?? 0)))
        let now = CMClockGetTime(.hostTimeClock)
        publish(positions.observe(status, isDecoding: isDecoding, now: now.seconds))
        let metadata = Self.metadata(song: observation.song, information: information)
        if metadata != self.metadata { self.metadata = metadata }
    }

    /// Nothing is heard from the server: the clock stands until it is back.
    func connectionLost() {
        assign(\.isBuffering, true)
        publish(positions.freeze(now: CMClockGetTime(.hostTimeClock).seconds))
    }

    /// The song is over; later commands have no effect.
    func finish(_ error: (any Error)?) {
        isOver = true
        plays = false
        isBuffering = false
        self.error = error
        publish(positions.freeze(now: CMClockGetTime(.hostTimeClock).seconds))
    }

    private func publish(_ snapshot: MPDPositionTracker.Snapshot?) {
        guard let snapshot else { return }
        playbackPosition = AVPlaybackUserInterfacePlaybackPosition(
            position: Self.time(snapshot.value), hostTime: Self.time(snapshot.time), rate: Float(snapshot.rate))
    }

    // An assignment of the same value would still wake every reader.
    private func assign<Value: Equatable>(_ path: ReferenceWritableKeyPath<MPDPlaybackControl, Value>, _ value: Value) {
        if self[keyPath: path] != value { self[keyPath: path] = value }
    }

    private static func time(_ seconds: Double) -> CMTime {
        CMTime(seconds: seconds, preferredTimescale: 1_000_000_000)
    }

    /// The app's own title wins over the file's tags; a radio's changing title is then the subtitle.
    private static func metadata(
        song: MPDSong?, information: MediaOutputSession.MediaInformation?
    ) -> AVPlaybackUserInterfaceContentMetadata {
        let subtitle =
            if let title = information?.title {
                information?.artist ?? (song?.title == title ? song?.displaySubtitle : song?.title)
            } else {
                song?.displaySubtitle ?? information?.artist
            }
        return AVPlaybackUserInterfaceContentMetadata(
            title: information?.title ?? song?.displayTitle, subtitle: subtitle,
            artworkRepresentations: artwork(information))
    }

    private static func artwork(
        _ information: MediaOutputSession.MediaInformation?
    ) -> [AVPlaybackUserInterfaceContentArtwork] {
        guard let url = information?.artworkURL else { return [] }
        return [.artwork(url: url, contentType: .image, size: .zero)]
    }
}
