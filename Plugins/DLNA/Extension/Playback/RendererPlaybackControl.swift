import DLNAProtocol
import Foundation
import MediaDevice
import Observation

/// The playback control of a renderer. Speeds, scanning and languages keep their defaults, which refuse them.
@Observable
@MainActor
final class RendererPlaybackControl: AVPlaybackUserInterfaceControllable {
    /// The command for the device that a write causes.
    enum Command: Sendable, Hashable {
        case play, pause
        /// Seconds.
        case seek(Double)
        /// `0.0...1.0`
        case setVolume(Float)
        case setMuted(Bool)
    }

    @ObservationIgnored private let command: (Command) -> Void

    fileprivate(set) var isReady = false
    fileprivate(set) var isBuffering = true
    fileprivate(set) var containsLiveStreamingContent = false
    fileprivate(set) var supportedSeekCapabilities: AVPlaybackUserInterfaceSeekCapabilities = []
    fileprivate(set) var timeRange = CMTimeRange(start: .zero, duration: .zero)
    fileprivate(set) var playbackPosition: AVPlaybackUserInterfacePlaybackPosition
    fileprivate(set) var seekableTimeRanges: [CMTimeRange]? = []
    fileprivate(set) var metadata = AVPlaybackUserInterfaceContentMetadata()
    fileprivate(set) var hasAudio = true
    fileprivate(set) var unsupportedFeatures: AVPlaybackUserInterfaceFeatures = []
    var error: (any Error)?

    private var wantsToPlay = true
    private var level: Float = 0
    private var mute = false

    /// Creates a control.
    ///
    /// - Parameters:
    ///   - position: The position to show until the device reports its own.
    ///   - command: A closure that is called for every write.
    init(position: AVPlaybackUserInterfacePlaybackPosition, command: @escaping (Command) -> Void) {
        playbackPosition = position
        self.command = command
    }

    // MARK: Written by people

    var isPlaying: Bool {
        get { wantsToPlay }
        set {
            wantsToPlay = newValue
            command(newValue ? .play : .pause)
        }
    }

    var volume: Float {
        get { level }
        set { command(.setVolume(newValue)) }
    }

    var isMuted: Bool {
        get { mute }
        set { command(.setMuted(newValue)) }
    }

    func seek(to position: CMTime, tolerance: CMTime) {
        guard supportedSeekCapabilities.contains(.seek) else {
            return PlaybackRefusal.refuse("You can't seek in this.")
        }
        guard position.isNumeric else { return }
        command(.seek(max(0, position.seconds)))
    }
}

// MARK: Written by the session

extension RendererPlaybackControl {
    /// Shows the tracker's state; every property is written only if it differs, so that no value is published twice.
    ///
    /// - Parameters:
    ///   - changes: Only used for the position: it advances by itself and is written only when it jumps.
    ///   - now: Seconds of the host clock.
    func show(
        _ tracker: PlaybackTracker, changes: PlaybackTracker.Changes, canSeek: Bool, now: Double
    ) {
        switch tracker.phase {
        case .playing:
            update(\.isReady, true)
            update(\.isBuffering, false)
            update(\.wantsToPlay, true)
        case .paused:
            update(\.isReady, true)
            update(\.isBuffering, false)
            update(\.wantsToPlay, false)
        case .loading, .buffering:
            update(\.isBuffering, true)
        case .finished:
            update(\.isBuffering, false)
            update(\.wantsToPlay, false)
        }
        let duration = CMTime(hostSeconds: tracker.duration ?? 0)
        update(\.timeRange, CMTimeRange(start: .zero, duration: duration))
        let mayBeLive = tracker.phase == .playing && tracker.duration == nil && tracker.position(at: now) > 5
        update(\.containsLiveStreamingContent, mayBeLive)
        let seekable =
            canSeek && !tracker.isFinished && tracker.duration != nil && tracker.actions?.contains("SEEK") ?? true
        update(\.supportedSeekCapabilities, seekable ? [.seek] : [])
        update(\.seekableTimeRanges, seekable ? nil : [])
        if changes.contains(.position) {
            playbackPosition = AVPlaybackUserInterfacePlaybackPosition(
                position: CMTime(hostSeconds: tracker.position.value),
                hostTime: CMTime(hostSeconds: tracker.position.time), rate: Float(tracker.position.rate))
        }
    }

    func show(_ metadata: AVPlaybackUserInterfaceContentMetadata) { update(\.metadata, metadata) }

    /// - Parameter hasAudio: `true` if the renderer has a level.
    func show(level: Float, isMuted: Bool, hasAudio: Bool, canMute: Bool) {
        update(\.level, level)
        update(\.mute, isMuted)
        update(\.hasAudio, hasAudio)
        let lacking: AVPlaybackUserInterfaceFeatures = hasAudio ? [] : .volume
        update(\.unsupportedFeatures, canMute ? lacking : lacking.union(.mute))
    }

    /// A pause or play that the device refused.
    func showIntent(_ isPlaying: Bool) { update(\.wantsToPlay, isPlaying) }

    private func update<Value: Equatable>(
        _ property: ReferenceWritableKeyPath<RendererPlaybackControl, Value>, _ value: Value
    ) {
        if self[keyPath: property] != value { self[keyPath: property] = value }
    }
}

extension CMTime {
    /// Seconds in nanoseconds, as the host clock counts.
    init(hostSeconds: Double) { self.init(seconds: hostSeconds, preferredTimescale: 1_000_000_000) }
}
