import MediaDevice
import MyProtocol
import Observation

/// The remote player, in the spelling of the 27.0 SDK.
///
/// The system reads it whenever Observation reports a change. A write is a request to the device, and the device's next
/// status confirms it.
@MainActor
@Observable
final class PlaybackControl: AVPlaybackUserInterfaceControllable {
    private(set) var isReady = false
    private(set) var isBuffering = false
    private(set) var containsLiveStreamingContent = false
    private(set) var supportedSeekCapabilities: AVPlaybackUserInterfaceSeekCapabilities = [
        .seek, .scanForward, .scanBackward,
    ]
    private(set) var error: (any Error)?
    var scanSpeed: Float = 0
    var state: AVPlaybackUserInterfacePlaybackState = .normal
    var playbackSpeed: Float = 1 {
        didSet { publishPosition(at: playbackPosition.position(at: CMClock.hostTimeClock.time)) }
    }

    private(set) var timeRange = CMTimeRange(start: .zero, duration: .zero)
    private(set) var playbackPosition = AVPlaybackUserInterfacePlaybackPosition(
        position: .zero, hostTime: CMClock.hostTimeClock.time, rate: 0)
    private(set) var seekableTimeRanges: [CMTimeRange]?

    var currentAudioOption: AVPlaybackUserInterfaceMediaSelectionOption?
    var currentAudioDescriptionOption: AVPlaybackUserInterfaceMediaSelectionOption?
    var currentLegibleOption: AVPlaybackUserInterfaceMediaSelectionOption?
    let audioOptions = [
        AVPlaybackUserInterfaceMediaSelectionOption(
            displayName: "English", identifier: "audio-en", language: Locale.Language(identifier: "en"))
    ]
    let audioDescriptionOptions = [
        AVPlaybackUserInterfaceMediaSelectionOption(
            displayName: "Described", identifier: "described-en",
            mediaCharacteristics: [.describesVideoForAccessibility])
    ]
    let legibleOptions = [
        AVPlaybackUserInterfaceMediaSelectionOption(displayName: "Deutsch", identifier: "text-de")
    ]

    let hasAudio = true
    private(set) var metadata = AVPlaybackUserInterfaceContentMetadata()

    private var status = DeviceStatus()
    @ObservationIgnored private let myProtocolClient: MyProtocolClient

    init(_ myProtocolClient: MyProtocolClient) {
        self.myProtocolClient = myProtocolClient
    }

    // MARK: Wishes

    var isPlaying: Bool {
        get { status.isPlaying }
        set { Task { await myProtocolClient.setPlaying(newValue) } }
    }

    var volume: Float {
        get { status.volume }
        set { Task { await myProtocolClient.setVolume(newValue) } }
    }

    var isMuted: Bool {
        get { status.isMuted }
        set { Task { await myProtocolClient.setMuted(newValue) } }
    }

    func seek(to position: CMTime, tolerance: CMTime) {
        Task { await myProtocolClient.seek(to: position.seconds) }
    }

    // MARK: The device's status

    func update(_ status: DeviceStatus) {
        let position = CMTime(seconds: status.position, preferredTimescale: 1000)
        let isDiscontinuity =
            status.position != self.status.position || status.isPlaying != self.status.isPlaying
            || status.isBuffering != isBuffering
        self.status = status
        isReady = status.duration > 0
        isBuffering = status.isBuffering
        timeRange = CMTimeRange(
            start: .zero, duration: CMTime(seconds: status.duration, preferredTimescale: 1000))
        metadata = AVPlaybackUserInterfaceContentMetadata(
            videoProperties: .init(presentationSize: CGSize(width: 1920, height: 1080)), title: status.title)
        if isDiscontinuity { publishPosition(at: position) }
    }

    func fail(_ error: any Error) { self.error = error }

    var segments: [AVPlaybackUserInterfaceTimelineSegment] { [currentSegment] }

    var currentSegment: AVPlaybackUserInterfaceTimelineSegment {
        AVPlaybackUserInterfaceTimelineSegment(
            timeRange: timeRange, segmentType: .primary, marked: false, requiresLinearPlayback: false,
            identifier: "feature")
    }

    private func publishPosition(at position: CMTime) {
        playbackPosition = AVPlaybackUserInterfacePlaybackPosition(
            position: position, hostTime: CMClock.hostTimeClock.time,
            rate: status.isPlaying && !isBuffering ? playbackSpeed : 0)
    }
}
