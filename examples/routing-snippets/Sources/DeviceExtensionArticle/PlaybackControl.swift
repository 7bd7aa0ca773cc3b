import MediaDevice
import MyProtocol
import Observation

/// The remote player in the article's spelling: the position is settable, and the error has its earlier name.
@MainActor
@Observable
class PlaybackControl: AVInterfaceControllable {
    var isReady = false
    var isBuffering = false
    var playbackSpeed: Float = 1.0
    var scanSpeed: Float = 0.0
    var state: AVInterfacePlaybackState = .normal
    var supportedSeekCapabilities: AVInterfaceSeekCapabilities = [.seek, .scanForward, .scanBackward]
    var containsLiveStreamingContent = false
    var playbackError: (any Error)?

    var timeRange = CMTimeRange(start: .zero, duration: .zero)
    var seekableTimeRanges: [CMTimeRange]?
    var segments: [AVInterfaceTimelineSegment] = []
    var currentSegment = AVInterfaceTimelineSegment(timeRange: CMTimeRange(start: .zero, duration: .zero))

    var currentAudioOption: AVInterfaceMediaSelectionOptionSource?
    var currentLegibleOption: AVInterfaceMediaSelectionOptionSource?
    var audioOptions: [AVInterfaceMediaSelectionOptionSource] = [
        AVInterfaceMediaSelectionOptionSource(
            displayName: "English", identifier: "audio-en", extendedLanguageTag: "en")
    ]
    var legibleOptions: [AVInterfaceMediaSelectionOptionSource] = []

    var hasAudio = true
    var metadata = AVInterfaceMetadata(isAudioOnly: false)

    private var status = DeviceStatus()
    @ObservationIgnored private let myProtocolClient: MyProtocolClient

    init(_ myProtocolClient: MyProtocolClient) {
        self.myProtocolClient = myProtocolClient
    }

    var isPlaying: Bool {
        get { status.isPlaying }
        set { Task { await myProtocolClient.setPlaying(newValue) } }
    }

    /// Setting it seeks.
    var currentPlaybackPosition: CMTime {
        get { CMTime(seconds: status.position, preferredTimescale: 1000) }
        set { Task { await myProtocolClient.seek(to: newValue.seconds) } }
    }

    var volume: Float {
        get { status.volume }
        set { Task { await myProtocolClient.setVolume(newValue) } }
    }

    var isMuted: Bool {
        get { status.isMuted }
        set { Task { await myProtocolClient.setMuted(newValue) } }
    }

    func update(_ status: DeviceStatus) {
        self.status = status
        isReady = status.duration > 0
        isBuffering = status.isBuffering
        timeRange = CMTimeRange(start: .zero, duration: CMTime(seconds: status.duration, preferredTimescale: 1000))
        currentSegment = AVInterfaceTimelineSegment(timeRange: timeRange, isAuxiliaryContent: false)
        segments = [currentSegment]
        metadata = AVInterfaceMetadata(presentationSize: CGSize(width: 1920, height: 1080), title: status.title)
    }
}
