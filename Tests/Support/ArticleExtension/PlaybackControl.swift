import AVKit
import CoreMedia
import Observation

/// The remote player in the article's spelling: stored properties, and two setters that send commands.
@MainActor
@Observable
final class PlaybackControl: AVInterfaceControllable {
    var isReady = true
    var isBuffering = false
    var playbackSpeed: Float = 1
    var scanSpeed: Float = 0
    var state = AVInterfacePlaybackState.normal
    var supportedSeekCapabilities: AVInterfaceSeekCapabilities = [.seek]
    var containsLiveStreamingContent = false
    var playbackError: (any Error)?
    var timeRange = CMTimeRange(start: .zero, duration: CMTime(seconds: 120, preferredTimescale: 600))
    var seekableTimeRanges: [CMTimeRange]?
    var segments: [AVInterfaceTimelineSegment] = []
    var currentSegment = AVInterfaceTimelineSegment(timeRange: CMTimeRange(start: .zero, duration: .zero))
    var currentAudioOption: AVInterfaceMediaSelectionOptionSource?
    var currentLegibleOption: AVInterfaceMediaSelectionOptionSource?
    var audioOptions: [AVInterfaceMediaSelectionOptionSource] = []
    var legibleOptions: [AVInterfaceMediaSelectionOptionSource] = []
    var hasAudio = true
    var volume: Float = 0.5
    var isMuted = false
    var metadata = AVInterfaceMetadata(isAudioOnly: false)

    private var _isPlaying = false
    private var _currentPlaybackPosition = CMTime.zero
    @ObservationIgnored private let send: @MainActor (String) -> Void

    init(_ send: @escaping @MainActor (String) -> Void) { self.send = send }

    var isPlaying: Bool {
        get { _isPlaying }
        set {
            _isPlaying = newValue
            send(newValue ? "play" : "pause")
        }
    }

    var currentPlaybackPosition: CMTime {
        get { _currentPlaybackPosition }
        set {
            _currentPlaybackPosition = newValue
            send("seek \(newValue.seconds)")
        }
    }

    /// Takes `playing SECONDS`, `paused SECONDS` or `title TEXT` from the device.
    func take(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else { return }
        if words[0] == "title" {
            metadata = AVInterfaceMetadata(isAudioOnly: false, title: words[1])
        } else {
            _isPlaying = words[0] == "playing"
            _currentPlaybackPosition = CMTime(seconds: Double(words[1]) ?? 0, preferredTimescale: 600)
        }
    }
}
