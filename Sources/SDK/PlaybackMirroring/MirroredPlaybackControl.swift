package import AVKit
package import CoreMedia
import Foundation
package import HostInterface
import Observation

/// A control object that represents one in another process. It shows the states it is given, and turns every write into
/// a command.
///
/// Writes to ``isPlaying``, ``isMuted`` and ``volume`` show at once. The next state from the device replaces them;
/// without one they revert to the last state after two seconds. Other writes show when the device reports them.
/// Observers of a property are notified only if its value changes.
@MainActor
@Observable
package final class MirroredPlaybackControl: AVPlaybackUserInterfaceControllable, AVInterfaceControllable {
    package private(set) var isReady = false
    package private(set) var isBuffering = false
    package private(set) var supportedSeekCapabilities: AVPlaybackUserInterfaceSeekCapabilities = []
    package private(set) var containsLiveStreamingContent = false
    package private(set) var error: (any Error)?
    package private(set) var unsupportedFeatures: AVPlaybackUserInterfaceFeatures = []
    package private(set) var commandError: (any Error)?

    package private(set) var timeRange = CMTimeRange(start: .zero, duration: .zero)
    package private(set) var playbackPosition: AVPlaybackUserInterfacePlaybackPosition
    package private(set) var segments: [AVPlaybackUserInterfaceTimelineSegment] = []
    package private(set) var currentSegment: AVPlaybackUserInterfaceTimelineSegment
    package private(set) var seekableTimeRanges: [CMTimeRange]?

    package private(set) var audioOptions: [AVPlaybackUserInterfaceMediaSelectionOption] = []
    package private(set) var audioDescriptionOptions: [AVPlaybackUserInterfaceMediaSelectionOption] = []
    package private(set) var legibleOptions: [AVPlaybackUserInterfaceMediaSelectionOption] = []

    package private(set) var hasAudio = true
    package private(set) var metadata = AVPlaybackUserInterfaceContentMetadata()

    private var shownIsPlaying = false
    private var shownIsMuted = false
    private var shownVolume: Float = 0
    private var shownPlaybackSpeed: Float = 1
    private var shownScanSpeed: Float = 0
    private var shownMode = PlaybackState.Mode.normal
    private var shownAudioOption: String?
    private var shownAudioDescriptionOption: String?
    private var shownLegibleOption: String?

    /// The last state of the device.
    @ObservationIgnored package private(set) var deviceState: PlaybackState
    @ObservationIgnored private let send: @MainActor (PlaybackCommand) -> Void
    @ObservationIgnored private let confirmationTimeout: @Sendable () async throws -> Void
    @ObservationIgnored private var pendingFallback: Task<Void, Never>?

    /// Creates a control object.
    ///
    /// - Parameters:
    ///   - state: The initial state.
    ///   - confirmationTimeout: A function that returns when an unconfirmed write reverts.
    ///   - send: A function that delivers a command. It must not block.
    package init(
        _ state: PlaybackState,
        confirmationTimeout: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(2)) },
        send: @escaping @MainActor (PlaybackCommand) -> Void
    ) {
        deviceState = state
        self.send = send
        self.confirmationTimeout = confirmationTimeout
        playbackPosition = state.position.mirrored
        currentSegment = state.mirroredCurrentSegment
        show(state, replacing: nil)
    }

    /// Shows a new state of the device, which replaces all unconfirmed writes.
    package func update(_ state: PlaybackState) {
        cancelFallback()
        let previous = deviceState
        deviceState = state
        show(state, replacing: previous)
    }

    /// Reverts all unconfirmed writes after a command failed, and reports the error.
    package func commandFailed(_ error: HostError) {
        commandError = MirroredPlaybackError(error)
        revertUnconfirmedWrites()
    }

    /// Clears the error of an earlier command.
    package func commandSucceeded() { if commandError != nil { commandError = nil } }

    /// Reverts all unconfirmed writes.
    package func revertUnconfirmedWrites() {
        cancelFallback()
        showWritable(deviceState)
    }
}

// MARK: - Writes become commands

extension MirroredPlaybackControl {
    package var isPlaying: Bool {
        get { shownIsPlaying }
        set { write(PlaybackCommand(.setPlaying, flag: newValue), showing: newValue, in: \.shownIsPlaying) }
    }

    package var isMuted: Bool {
        get { shownIsMuted }
        set { write(PlaybackCommand(.setMuted, flag: newValue), showing: newValue, in: \.shownIsMuted) }
    }

    /// The volume, clamped to `0...1`. Not-a-number is ignored.
    package var volume: Float {
        get { shownVolume }
        set {
            guard !newValue.isNaN else { return }
            let level = min(1, max(0, newValue))
            write(PlaybackCommand(.setVolume, number: Double(level)), showing: level, in: \.shownVolume)
        }
    }

    package var playbackSpeed: Float {
        get { shownPlaybackSpeed }
        set { send(PlaybackCommand(.setPlaybackSpeed, number: Double(newValue))) }
    }

    package var scanSpeed: Float {
        get { shownScanSpeed }
        set { send(PlaybackCommand(.setScanSpeed, number: Double(newValue))) }
    }

    package var state: AVPlaybackUserInterfacePlaybackState {
        get { shownMode.mirrored }
        set { send(PlaybackCommand(.setMode, identifier: PlaybackState.Mode(newValue).rawValue)) }
    }

    package var currentAudioOption: AVPlaybackUserInterfaceMediaSelectionOption? {
        get { audioOptions.first { $0.identifier == shownAudioOption } }
        set { send(PlaybackCommand(.selectAudio, identifier: newValue?.identifier)) }
    }

    package var currentAudioDescriptionOption: AVPlaybackUserInterfaceMediaSelectionOption? {
        get { audioDescriptionOptions.first { $0.identifier == shownAudioDescriptionOption } }
        set { send(PlaybackCommand(.selectAudioDescription, identifier: newValue?.identifier)) }
    }

    package var currentLegibleOption: AVPlaybackUserInterfaceMediaSelectionOption? {
        get { legibleOptions.first { $0.identifier == shownLegibleOption } }
        set { send(PlaybackCommand(.selectLegible, identifier: newValue?.identifier)) }
    }

    /// Seeks to a position. A position that isn't finite is ignored.
    package func seek(to position: CMTime, tolerance: CMTime) {
        guard let seconds = position.numericSeconds else { return }
        let tolerance = tolerance.numericSeconds ?? (tolerance == .positiveInfinity ? .infinity : 0)
        send(PlaybackCommand(.seek, number: seconds, tolerance: tolerance))
    }

    private func write<Value: Equatable>(
        _ command: PlaybackCommand, showing value: Value,
        in property: ReferenceWritableKeyPath<MirroredPlaybackControl, Value>
    ) {
        set(property, to: value)
        cancelFallback()
        pendingFallback = Task { [weak self, confirmationTimeout] in
            do { try await confirmationTimeout() } catch { return }
            guard !Task.isCancelled else { return }
            self?.revertUnconfirmedWrites()
        }
        send(command)
    }

    private func cancelFallback() {
        pendingFallback?.cancel()
        pendingFallback = nil
    }
}

// MARK: - States become properties

extension MirroredPlaybackControl {
    private func show(_ state: PlaybackState, replacing old: PlaybackState?) {
        set(\.isReady, to: state.isReady)
        set(\.isBuffering, to: state.isBuffering)
        set(\.supportedSeekCapabilities, to: .init(rawValue: UInt(clamping: state.seekCapabilities)))
        set(\.containsLiveStreamingContent, to: state.isLive)
        if old?.error != state.error { error = state.error.map(MirroredPlaybackError.init) }
        set(\.hasAudio, to: state.hasAudio)
        set(
            \.unsupportedFeatures,
            to: (state.unsupported ?? []).reduce(into: []) { $0.formUnion($1.mirrored) })
        showTimes(state, replacing: old)
        // The lists before the choices among them.
        if old?.audioOptions != state.audioOptions { audioOptions = state.audioOptions.map(\.mirrored) }
        if old?.audioDescriptionOptions != state.audioDescriptionOptions {
            audioDescriptionOptions = state.audioDescriptionOptions.map(\.mirrored)
        }
        if old?.legibleOptions != state.legibleOptions { legibleOptions = state.legibleOptions.map(\.mirrored) }
        if old?.hasSameMetadata(as: state) != true { metadata = state.mirroredMetadata }
        showWritable(state)
    }

    private func showTimes(_ state: PlaybackState, replacing old: PlaybackState?) {
        if old?.timeRange != state.timeRange { timeRange = state.timeRange.mirrored }
        if old?.position != state.position { playbackPosition = state.position.mirrored }
        if old?.segments != state.segments { segments = state.segments.map(\.mirrored) }
        if old == nil || old?.currentSegment != state.currentSegment
            || (state.currentSegment == nil && old?.timeRange != state.timeRange)
        {
            currentSegment = state.mirroredCurrentSegment
        }
        if old?.seekableRanges != state.seekableRanges {
            seekableTimeRanges = state.seekableRanges?.map(\.mirrored)
        }
    }

    private func showWritable(_ state: PlaybackState) {
        set(\.shownIsPlaying, to: state.isPlaying)
        set(\.shownIsMuted, to: state.isMuted)
        set(\.shownVolume, to: Float(state.volume))
        set(\.shownPlaybackSpeed, to: Float(state.playbackSpeed))
        set(\.shownScanSpeed, to: Float(state.scanSpeed))
        set(\.shownMode, to: state.mode)
        set(\.shownAudioOption, to: state.currentAudioOption)
        set(\.shownAudioDescriptionOption, to: state.currentAudioDescriptionOption)
        set(\.shownLegibleOption, to: state.currentLegibleOption)
    }

    private func set<Value: Equatable>(
        _ property: ReferenceWritableKeyPath<MirroredPlaybackControl, Value>, to value: Value
    ) {
        if self[keyPath: property] != value { self[keyPath: property] = value }
    }
}

extension PlaybackState.Position {
    var mirrored: AVPlaybackUserInterfacePlaybackPosition {
        AVPlaybackUserInterfacePlaybackPosition(
            position: CMTime(mirroredSeconds: value), hostTime: CMTime(mirroredSeconds: hostTime), rate: Float(rate))
    }
}
