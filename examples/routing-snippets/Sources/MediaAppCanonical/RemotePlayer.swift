import AVSystemRouting
import Observation

/// Follows and controls the remote playback, as the app's own interface does.
@MainActor
final class RemotePlayer {
    private let control: any AVPlaybackUserInterfaceControllable
    private(set) var line = ""

    init(_ control: any AVPlaybackUserInterfaceControllable) {
        self.control = control
        observe()
    }

    /// Reads the values shown in the line, and again whenever one of them changes.
    private func observe() {
        line = withObservationTracking {
            let state = control.isBuffering ? "buffering" : control.isPlaying ? "playing" : "paused"
            let length = control.timeRange.duration.seconds
            return "\(control.metadata.title ?? "untitled"): \(state), \(position.seconds) of \(length) s"
        } onChange: { [weak self] in
            Task { @MainActor in self?.observe() }
        }
        if let error = control.error { print(error.localizedDescription) }
        print(line)
    }

    /// The current position, extrapolated from the last snapshot.
    var position: CMTime {
        let snapshot = control.playbackPosition
        let elapsed = CMTimeSubtract(CMClock.hostTimeClock.time, snapshot.hostTime)
        let moved = CMTimeAdd(snapshot.position, CMTimeMultiplyByFloat64(elapsed, multiplier: Float64(snapshot.rate)))
        return CMTimeClampToRange(moved, range: control.timeRange)
    }

    func togglePlaying() { control.isPlaying.toggle() }

    func skip(by seconds: Double) {
        control.seek(to: position + CMTime(seconds: seconds, preferredTimescale: 600), tolerance: .zero)
    }

    func seekFast(to seconds: Double) {
        control.seek(to: CMTime(seconds: seconds, preferredTimescale: 600), tolerance: .positiveInfinity)
    }

    func turnDown() {
        guard control.hasAudio else { return }
        control.volume = max(0, control.volume - 0.1)
        control.isMuted = control.volume == 0
    }

    func playFaster() { control.playbackSpeed = 1.5 }

    func scanForward() {
        guard control.supportedSeekCapabilities.contains(.scanForward) else { return }
        control.scanSpeed = 8
        control.state = .scanning
    }

    func chooseSubtitles(_ language: Locale.Language) {
        control.currentLegibleOption = control.legibleOptions.first { $0.language == language }
    }

    /// Advertising that asks not to be skipped plays; any other part is left behind.
    func leaveCurrentSegment() {
        let segment = control.currentSegment
        guard !(segment.segmentType == .advertisement && segment.requiresLinearPlayback) else { return }
        control.seek(to: CMTimeRangeGetEnd(segment.timeRange), tolerance: .zero)
    }
}
