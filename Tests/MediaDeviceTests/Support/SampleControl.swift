import AVKit
import CoreMedia
import Foundation
import Observation
import TypeIdentifiers

/// A control object as an author writes it, with a film of 100 seconds in it.
@MainActor
@Observable
final class SampleControl: AVPlaybackUserInterfaceControllable {
    struct Seek: Equatable {
        var position: Double
        var tolerance: CMTime
    }

    var isReady = true
    var isPlaying = false
    var isBuffering = false
    var playbackSpeed: Float = 1
    var scanSpeed: Float = 0
    var state = AVPlaybackUserInterfacePlaybackState.normal
    var supportedSeekCapabilities: AVPlaybackUserInterfaceSeekCapabilities = [.seek, .scanForward]
    var containsLiveStreamingContent = false
    var error: (any Error)?
    var unsupportedFeatures: AVPlaybackUserInterfaceFeatures = []

    var timeRange = CMTimeRange(start: .zero, duration: CMTime(seconds: 100, preferredTimescale: 600))
    var playbackPosition = SampleControl.position(12.5, at: 1000, rate: 0)
    var seekableTimeRanges: [CMTimeRange]?
    var segments: [AVPlaybackUserInterfaceTimelineSegment] = [SampleControl.segment]
    var currentSegment: AVPlaybackUserInterfaceTimelineSegment = SampleControl.segment

    var audioOptions = [
        AVPlaybackUserInterfaceMediaSelectionOption(
            displayName: "English", identifier: "en", language: Locale.Language(identifier: "en-GB")),
        AVPlaybackUserInterfaceMediaSelectionOption(displayName: "Deutsch", identifier: "de"),
    ]
    var audioDescriptionOptions: [AVPlaybackUserInterfaceMediaSelectionOption] = []
    var legibleOptions = [
        AVPlaybackUserInterfaceMediaSelectionOption(
            displayName: "Untertitel", identifier: "cc",
            mediaCharacteristics: [AVMediaCharacteristic(rawValue: "public.easy-to-read")])
    ]
    var currentAudioOption: AVPlaybackUserInterfaceMediaSelectionOption?
    var currentAudioDescriptionOption: AVPlaybackUserInterfaceMediaSelectionOption?
    var currentLegibleOption: AVPlaybackUserInterfaceMediaSelectionOption?

    var hasAudio = true
    var isMuted = false
    var volume: Float = 0.5
    var metadata = AVPlaybackUserInterfaceContentMetadata(
        videoProperties: .init(presentationSize: CGSize(width: 1920, height: 1080)), title: "A film",
        subtitle: "A subtitle",
        artworkRepresentations: [
            AVPlaybackUserInterfaceContentArtwork.artwork(
                url: URL(string: "http://127.0.0.1/cover.png")!, contentType: .png,
                size: CGSize(width: 300, height: 200))
        ])

    @ObservationIgnored private(set) var seeks: [Seek] = []

    func seek(to position: CMTime, tolerance: CMTime) {
        seeks.append(Seek(position: position.seconds, tolerance: tolerance))
        playbackPosition = Self.position(position.seconds, at: 1000, rate: 0)
    }

    static func position(_ seconds: Double, at hostTime: Double, rate: Float) -> AVPlaybackUserInterfacePlaybackPosition
    {
        AVPlaybackUserInterfacePlaybackPosition(
            position: CMTime(seconds: seconds, preferredTimescale: 1_000_000),
            hostTime: CMTime(seconds: hostTime, preferredTimescale: 1_000_000), rate: rate)
    }

    static func range(_ start: Double, _ duration: Double) -> CMTimeRange {
        CMTimeRange(
            start: CMTime(seconds: start, preferredTimescale: 600),
            duration: CMTime(seconds: duration, preferredTimescale: 600))
    }

    private static var segment: AVPlaybackUserInterfaceTimelineSegment {
        AVPlaybackUserInterfaceTimelineSegment(
            timeRange: range(0, 100), segmentType: .credits, marked: true, requiresLinearPlayback: false,
            identifier: "only")
    }
}
