import MediaDevice

/// A control object that is a value: the host keeps its own copy and writes to that.
struct PlaybackControl: AVInterfaceControllable {
    var isReady = true
    var isPlaying = true
    var isBuffering = false
    var playbackSpeed: Float = 1
    var scanSpeed: Float = 0
    var state = AVInterfacePlaybackState.normal
    var supportedSeekCapabilities: AVInterfaceSeekCapabilities = .seek
    var containsLiveStreamingContent = false
    var playbackError: (any Error)?

    var timeRange = CMTimeRange(start: .zero, duration: CMTime(value: 60, timescale: 1))
    var currentPlaybackPosition = CMTime.zero
    var segments: [AVInterfaceTimelineSegment] { [currentSegment] }
    var currentSegment: AVInterfaceTimelineSegment { AVInterfaceTimelineSegment(timeRange: timeRange) }
    var seekableTimeRanges: [CMTimeRange]?

    var currentAudioOption: AVInterfaceMediaSelectionOptionSource?
    var currentLegibleOption: AVInterfaceMediaSelectionOptionSource?
    var audioOptions: [AVInterfaceMediaSelectionOptionSource] = []
    var legibleOptions: [AVInterfaceMediaSelectionOptionSource] = []

    var hasAudio = true
    var isMuted = false
    var volume: Float = 0.5
    var metadata: AVInterfaceMetadata

    init(title: String) {
        metadata = AVInterfaceMetadata(mediaMode: .audioOnly, title: title)
    }
}
