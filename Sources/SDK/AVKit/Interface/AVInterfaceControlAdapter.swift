package import CoreMedia
import Observation
import Synchronization

/// An adapter that gives a control object of the earlier spelling the later one.
///
/// Reads and writes go through to the object, so an observer of a property is notified when the object changes it. A
/// structure is stored in the adapter, which then notifies observers of its own writes.
@MainActor package final class AVInterfaceControlAdapter {
    /// The current underlying object.
    package private(set) var base: any AVInterfaceControllable

    private let isValue: Bool
    private let registrar = ObservationRegistrar()
    private var tracker = PositionTracker()
    private let change = ChangeMoment()
    private let now: @Sendable () -> CMTime

    /// Creates an adapter.
    ///
    /// - Parameters:
    ///   - base: A class instance, which is shared, or a structure, which is copied.
    ///   - now: A function that returns the time of the host clock.
    package init(
        _ base: some AVInterfaceControllable, now: @escaping @Sendable () -> CMTime = { CMClock.hostTimeClock.time }
    ) {
        self.base = base
        self.now = now
        isValue = !(type(of: base) is AnyObject.Type)
    }

    private func read<Value>(_ value: (any AVInterfaceControllable) -> Value) -> Value {
        // The members of a structure are seldom observable by themselves; only writes through the adapter count as
        // changes.
        if isValue { registrar.access(self, keyPath: \.base) }
        return value(base)
    }

    private func write(_ body: (inout any AVInterfaceControllable) -> Void) {
        if isValue {
            registrar.withMutation(of: self, keyPath: \.base) { body(&base) }
        } else {
            body(&base)
        }
    }
}

extension AVInterfaceControlAdapter: AVPlaybackUserInterfacePlaybackControllable {
    package var isReady: Bool { read { $0.isReady } }
    package var isBuffering: Bool { read { $0.isBuffering } }
    package var containsLiveStreamingContent: Bool { read { $0.containsLiveStreamingContent } }
    package var error: (any Error)? { read { $0.playbackError } }
    package var supportedSeekCapabilities: AVPlaybackUserInterfaceSeekCapabilities {
        read { $0.supportedSeekCapabilities }
    }

    package var isPlaying: Bool {
        get { read { $0.isPlaying } }
        set { write { $0.isPlaying = newValue } }
    }

    package var playbackSpeed: Float {
        get { read { $0.playbackSpeed } }
        set { write { $0.playbackSpeed = newValue } }
    }

    package var scanSpeed: Float {
        get { read { $0.scanSpeed } }
        set { write { $0.scanSpeed = newValue } }
    }

    package var state: AVPlaybackUserInterfacePlaybackState {
        get { read { $0.state } }
        set { write { $0.state = newValue } }
    }
}

extension AVInterfaceControlAdapter: AVPlaybackUserInterfaceTimeControllable {
    package var timeRange: CMTimeRange { read { $0.timeRange } }
    package var seekableTimeRanges: [CMTimeRange]? { read { $0.seekableTimeRanges } }
    package var segments: [AVPlaybackUserInterfaceTimelineSegment] { read { $0.segments.map(\.canonical) } }
    package var currentSegment: AVPlaybackUserInterfaceTimelineSegment { read { $0.currentSegment.canonical } }

    /// The object's position with the time of its report, and the rate that follows from the other properties.
    ///
    /// It stays the same until it no longer predicts the position, although the object reports its position repeatedly.
    package var playbackPosition: AVPlaybackUserInterfacePlaybackPosition {
        let told = change.take()
        let reported: CMTime
        let rate: Float
        if change.arm() {
            (reported, rate) = withObservationTracking {
                read { ($0.currentPlaybackPosition, $0.effectiveRate) }
            } onChange: { [weak self, change, now] in
                change.happened(at: now())
                // Read right after the change, so that the next one finds its own moment.
                Task { @MainActor in _ = self?.playbackPosition }
            }
        } else {
            (reported, rate) = read { ($0.currentPlaybackPosition, $0.effectiveRate) }
        }
        return tracker.position(reported: reported, rate: rate, at: told ?? now())
    }

    package func seek(to position: CMTime, tolerance: CMTime) {
        guard position.isNumeric else { return }
        tracker.expectJump()
        write { $0.currentPlaybackPosition = position }
    }
}

extension AVInterfaceControlAdapter: AVPlaybackUserInterfaceMediaSelectionControllable {
    package var audioOptions: [AVPlaybackUserInterfaceMediaSelectionOption] {
        read { $0.audioOptions.map(\.canonical) }
    }
    package var legibleOptions: [AVPlaybackUserInterfaceMediaSelectionOption] {
        read { $0.legibleOptions.map(\.canonical) }
    }

    package var currentAudioOption: AVPlaybackUserInterfaceMediaSelectionOption? {
        get { read { $0.currentAudioOption?.canonical } }
        set { select(newValue, among: \.audioOptions) { $0.currentAudioOption = $1 } }
    }

    package var currentLegibleOption: AVPlaybackUserInterfaceMediaSelectionOption? {
        get { read { $0.currentLegibleOption?.canonical } }
        set { select(newValue, among: \.legibleOptions) { $0.currentLegibleOption = $1 } }
    }

    private func select(
        _ option: AVPlaybackUserInterfaceMediaSelectionOption?,
        among options: KeyPath<any AVInterfaceControllable, [AVInterfaceMediaSelectionOptionSource]>,
        _ set: (inout any AVInterfaceControllable, AVInterfaceMediaSelectionOptionSource?) -> Void
    ) {
        guard let option else { return write { set(&$0, nil) } }
        // It may have left the list meanwhile.
        guard let source = base[keyPath: options].first(where: { $0.identifier == option.identifier }) else {
            return PlaybackRefusal.refuse("“\(option.displayName)” is no longer available.")
        }
        write { set(&$0, source) }
    }
}

extension AVInterfaceControlAdapter: AVPlaybackUserInterfaceVolumeControllable {
    package var hasAudio: Bool { read { $0.hasAudio } }

    package var isMuted: Bool {
        get { read { $0.isMuted } }
        set { write { $0.isMuted = newValue } }
    }

    package var volume: Float {
        get { read { $0.volume } }
        set {
            guard !newValue.isNaN else { return }
            write { $0.volume = min(max(newValue, 0), 1) }
        }
    }
}

extension AVInterfaceControlAdapter: AVPlaybackUserInterfaceMetadataProviding {
    package var metadata: AVPlaybackUserInterfaceContentMetadata { read { $0.metadata.canonical } }
}

extension AVInterfaceControlAdapter: AVPlaybackUserInterfaceControllable {}

extension AVInterfacePlaybackControllable {
    /// The rate in seconds of content per second, derived from the object's properties.
    fileprivate var effectiveRate: Float {
        switch state {
        case .scanning: scanSpeed
        case .scrubbing: 0
        case .normal: isPlaying && isReady && !isBuffering ? playbackSpeed : 0
        }
    }
}

/// The time of the first change since the observed object was last read. Any thread can set it.
private final class ChangeMoment: Sendable {
    private struct State {
        var isArmed = false
        var time: CMTime?
    }
    private let state = Mutex(State())

    /// Returns `true` if an observation must be set up; there is never more than one.
    func arm() -> Bool {
        state.withLock { state in
            defer { state.isArmed = true }
            return !state.isArmed
        }
    }

    func happened(at time: CMTime) {
        state.withLock { $0 = State(isArmed: false, time: $0.time ?? time) }
    }

    func take() -> CMTime? {
        state.withLock { state in
            defer { state.time = nil }
            return state.time
        }
    }
}
