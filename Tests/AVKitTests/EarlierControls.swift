import AVKit

/// A control object of the earlier spelling, as an extension writes one.
@Observable final class EarlierControl: AVInterfaceControllable {
    var isReady = true
    var isPlaying = false
    var isBuffering = false
    var playbackSpeed: Float = 1
    var scanSpeed: Float = 0
    var state = AVInterfacePlaybackState.normal
    var supportedSeekCapabilities: AVInterfaceSeekCapabilities = [.seek]
    var containsLiveStreamingContent = false
    var playbackError: (any Error)?

    var timeRange = CMTimeRange(start: .zero, duration: CMTime(value: 100, timescale: 1))
    var currentPlaybackPosition = CMTime.zero
    var segments: [AVInterfaceTimelineSegment] { [currentSegment] }
    var currentSegment: AVInterfaceTimelineSegment { AVInterfaceTimelineSegment(timeRange: timeRange) }
    var seekableTimeRanges: [CMTimeRange]?

    var currentAudioOption: AVInterfaceMediaSelectionOptionSource?
    var currentLegibleOption: AVInterfaceMediaSelectionOptionSource?
    var audioOptions = [
        AVInterfaceMediaSelectionOptionSource(displayName: "English", identifier: "en", extendedLanguageTag: "en"),
        AVInterfaceMediaSelectionOptionSource(displayName: "Deutsch", identifier: "de", extendedLanguageTag: "de"),
    ]
    var legibleOptions: [AVInterfaceMediaSelectionOptionSource] = []

    var hasAudio = true
    var isMuted = false
    var volume: Float = 0.5
    var metadata = AVInterfaceMetadata(title: "Film")
}

/// The same as a structure, which was legal as well; nothing in it is observable by itself.
struct EarlierStructure: AVInterfaceControllable {
    var isReady = true
    var isPlaying = false
    var isBuffering = false
    var playbackSpeed: Float = 1
    var scanSpeed: Float = 0
    var state = AVInterfacePlaybackState.normal
    var supportedSeekCapabilities: AVInterfaceSeekCapabilities = []
    var containsLiveStreamingContent = false
    var playbackError: (any Error)?
    var timeRange = CMTimeRange.zero
    var currentPlaybackPosition = CMTime.zero
    var segments: [AVInterfaceTimelineSegment] = []
    var currentSegment = AVInterfaceTimelineSegment(timeRange: .zero)
    var seekableTimeRanges: [CMTimeRange]?
    var currentAudioOption: AVInterfaceMediaSelectionOptionSource?
    var currentLegibleOption: AVInterfaceMediaSelectionOptionSource?
    var audioOptions: [AVInterfaceMediaSelectionOptionSource] = []
    var legibleOptions: [AVInterfaceMediaSelectionOptionSource] = []
    var hasAudio = true
    var isMuted = false
    var volume: Float = 1
    var metadata = AVInterfaceMetadata()
}
