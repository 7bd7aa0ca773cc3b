package import AVKit
import CoreMedia
import Foundation
package import HostInterface
import TypeIdentifiers

/// A reader that converts a control object to one value.
///
/// It reads every property, so that Observation tracks the whole object. It replaces values that can't cross the link:
/// an invalid or infinite time by 0, an invalid host time by the current one, and a volume outside `0...1` by the
/// nearest bound.
@MainActor
package enum PlaybackStateReader {
    package static func state(of control: any AVPlaybackUserInterfaceControllable) -> PlaybackState {
        var (state, defaults) = PlaybackRefusal.readings { readAll(of: control) }
        let lacking = control.unsupportedFeatures.union(defaults)
        state.unsupported = PlaybackState.Feature.allCases.filter { lacking.contains($0.mirrored) }
        return state
    }

    private static func readAll(of control: any AVPlaybackUserInterfaceControllable) -> PlaybackState {
        var state = PlaybackState()
        readPlayback(of: control, into: &state)
        readTimes(of: control, into: &state)
        readSelection(of: control, into: &state)
        state.hasAudio = control.hasAudio
        state.isMuted = control.isMuted
        state.volume = level(control.volume)
        readMetadata(of: control, into: &state)
        return state
    }

    private static func readPlayback(
        of control: any AVPlaybackUserInterfacePlaybackControllable, into state: inout PlaybackState
    ) {
        state.isReady = control.isReady
        state.isPlaying = control.isPlaying
        state.isBuffering = control.isBuffering
        state.playbackSpeed = finite(control.playbackSpeed, otherwise: 1)
        state.scanSpeed = finite(control.scanSpeed, otherwise: 0)
        state.mode = PlaybackState.Mode(control.state)
        state.seekCapabilities = Int(clamping: control.supportedSeekCapabilities.rawValue)
        state.isLive = control.containsLiveStreamingContent
        state.error = control.error.map { HostError(describing: $0, otherwise: .sessionFailed) }
    }

    private static func readTimes(
        of control: any AVPlaybackUserInterfaceTimeControllable, into state: inout PlaybackState
    ) {
        state.timeRange = PlaybackState.TimeRange(control.timeRange)
        let position = control.playbackPosition
        state.position = PlaybackState.Position(
            value: position.position.numericSeconds ?? 0,
            hostTime: position.hostTime.numericSeconds ?? MonotonicClock.now,
            rate: finite(position.rate, otherwise: 0))
        state.segments = control.segments.map(PlaybackState.Segment.init)
        state.currentSegment = PlaybackState.Segment(control.currentSegment)
        state.seekableRanges = control.seekableTimeRanges?.map(PlaybackState.TimeRange.init)
    }

    private static func readSelection(
        of control: any AVPlaybackUserInterfaceMediaSelectionControllable, into state: inout PlaybackState
    ) {
        state.audioOptions = control.audioOptions.map(PlaybackState.Option.init)
        state.audioDescriptionOptions = control.audioDescriptionOptions.map(PlaybackState.Option.init)
        state.legibleOptions = control.legibleOptions.map(PlaybackState.Option.init)
        state.currentAudioOption = control.currentAudioOption?.identifier
        state.currentAudioDescriptionOption = control.currentAudioDescriptionOption?.identifier
        state.currentLegibleOption = control.currentLegibleOption?.identifier
    }

    private static func readMetadata(
        of control: any AVPlaybackUserInterfaceMetadataProviding, into state: inout PlaybackState
    ) {
        let metadata = control.metadata
        state.title = metadata.title
        state.subtitle = metadata.subtitle
        state.artwork = metadata.artworkRepresentations.compactMap(PlaybackState.Artwork.init)
        state.presentationWidth = metadata.videoProperties.map { Double($0.presentationSize.width) }
        state.presentationHeight = metadata.videoProperties.map { Double($0.presentationSize.height) }
    }

    private static func finite(_ value: Float, otherwise fallback: Double) -> Double {
        value.isFinite ? Double(value) : fallback
    }

    private static func level(_ value: Float) -> Double {
        value.isNaN ? 0 : Double(min(1, max(0, value)))
    }
}

extension PlaybackState.Feature {
    var mirrored: AVPlaybackUserInterfaceFeatures {
        switch self {
        case .playbackSpeed: .playbackSpeed
        case .mute: .mute
        case .volume: .volume
        }
    }
}
