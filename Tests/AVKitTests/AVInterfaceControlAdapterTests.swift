import AVKit
import Synchronization
import Testing

@MainActor @Suite(.timeLimit(.minutes(1))) struct AVInterfaceControlAdapterTests {
    /// A clock that a test sets.
    final class Clock: Sendable {
        private let value = Mutex(CMTime.zero)
        var time: CMTime { value.withLock { $0 } }
        func advance(_ seconds: Double) {
            value.withLock { $0 = $0 + CMTime(seconds: seconds, preferredTimescale: 1_000) }
        }
    }

    let clock = Clock()
    let base = EarlierControl()
    let adapter: AVInterfaceControlAdapter

    init() {
        let clock = clock
        adapter = AVInterfaceControlAdapter(base, now: { clock.time })
    }

    /// Returns whether an observer that has read `property` through the adapter notices `change`.
    func notices<Value>(
        _ property: KeyPath<AVInterfaceControlAdapter, Value>, in adapter: AVInterfaceControlAdapter? = nil,
        _ change: () -> Void
    ) -> Bool {
        let adapter = adapter ?? self.adapter
        let fired = Mutex(false)
        let box = Box(fired)
        withObservationTracking {
            _ = adapter[keyPath: property]
        } onChange: {
            box.value.withLock { $0 = true }
        }
        change()
        return box.value.withLock { $0 }
    }

    final class Box: Sendable {
        let value: Mutex<Bool>
        init(_ value: consuming Mutex<Bool>) { self.value = value }
    }

    @Test func changesOfTheObjectAreNoticedThroughTheAdapter() {
        #expect(notices(\.isPlaying) { base.isPlaying = true })
        #expect(notices(\.isReady) { base.isReady = false })
        #expect(notices(\.isBuffering) { base.isBuffering = true })
        #expect(notices(\.error) { base.playbackError = CancellationError() })
        #expect(notices(\.timeRange) { base.timeRange = .zero })
        #expect(notices(\.segments) { base.timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity) })
        #expect(notices(\.playbackPosition) { base.currentPlaybackPosition = CMTime(value: 50, timescale: 1) })
        #expect(notices(\.audioOptions) { base.audioOptions = [] })
        #expect(notices(\.volume) { base.volume = 0.25 })
        #expect(notices(\.metadata) { base.metadata = AVInterfaceMetadata(title: "Other") })
        #expect(!notices(\.volume) { base.isMuted = true })
    }

    @Test func writesArriveAtTheObjectAndAreNoticed() {
        #expect(notices(\.isPlaying) { adapter.isPlaying = true })
        #expect(base.isPlaying)
        adapter.playbackSpeed = 2
        adapter.scanSpeed = -8
        adapter.state = .scanning
        adapter.isMuted = true
        #expect(base.playbackSpeed == 2 && base.scanSpeed == -8 && base.state == .scanning && base.isMuted)
        #expect(adapter.playbackSpeed == 2 && adapter.state == .scanning && adapter.isMuted)
    }

    @Test func volumeIsKeptInItsRange() {
        adapter.volume = 7
        #expect(base.volume == 1)
        adapter.volume = -.infinity
        #expect(base.volume == 0)
        adapter.volume = .nan
        #expect(base.volume == 0)
    }

    @Test func optionsAreChosenByIdentifier() throws {
        let german = try #require(adapter.audioOptions.last)
        #expect(german.displayName == "Deutsch" && german.extendedLanguageTag == "de")
        adapter.currentAudioOption = german
        #expect(base.currentAudioOption === base.audioOptions[1] && adapter.currentAudioOption == german)
        adapter.currentAudioOption = AVPlaybackUserInterfaceMediaSelectionOption(displayName: "?", identifier: "xx")
        #expect(base.currentAudioOption === base.audioOptions[1])
        adapter.currentAudioOption = nil
        #expect(base.currentAudioOption == nil)
        adapter.currentAudioDescriptionOption = german
        #expect(adapter.currentAudioDescriptionOption == nil && adapter.audioDescriptionOptions.isEmpty)
    }

    @Test func thePositionIsReplacedOnDiscontinuitiesOnly() {
        base.isPlaying = true
        let first = adapter.playbackPosition
        #expect(first.rate == 1 && first.position == .zero && first.hostTime == .zero)
        for second in 1...20 {
            clock.advance(1)
            base.currentPlaybackPosition = CMTime(seconds: Double(second) + 0.1, preferredTimescale: 10)
            #expect(adapter.playbackPosition === first)
        }
        base.currentPlaybackPosition = CMTime(value: 60, timescale: 1)
        let jump = adapter.playbackPosition
        #expect(jump.position.seconds == 60 && jump.hostTime.seconds == 20 && jump.rate == 1)
    }

    @Test func aRateChangeCountsOnFromAStalePosition() {
        base.isPlaying = true
        _ = adapter.playbackPosition
        clock.advance(7)
        base.isPlaying = false
        let paused = adapter.playbackPosition
        #expect(paused.position.seconds == 7 && paused.rate == 0 && paused.hostTime.seconds == 7)
        clock.advance(5)
        #expect(adapter.playbackPosition === paused)
        base.isPlaying = true
        #expect(adapter.playbackPosition.position.seconds == 7 && adapter.playbackPosition.hostTime.seconds == 12)
    }

    @Test func theRateFollowsFromTheState() {
        #expect(adapter.playbackPosition.rate == 0)
        base.isPlaying = true
        base.playbackSpeed = 1.5
        #expect(adapter.playbackPosition.rate == 1.5)
        base.isBuffering = true
        #expect(adapter.playbackPosition.rate == 0)
        base.state = .scanning
        base.scanSpeed = -4
        #expect(adapter.playbackPosition.rate == -4)
        base.state = .scrubbing
        #expect(adapter.playbackPosition.rate == 0)
        base.state = .scanning
        base.scanSpeed = .nan
        #expect(adapter.playbackPosition.rate == 0)
    }

    @Test func aChangeIsTimedWhenItHappensNotWhenItIsRead() {
        _ = adapter.playbackPosition
        clock.advance(1)
        base.currentPlaybackPosition = CMTime(value: 30, timescale: 1)
        clock.advance(1)
        #expect(adapter.playbackPosition.hostTime.seconds == 1)
    }

    @Test func everyChangeIsTimedEvenIfNobodyReads() async {
        base.isPlaying = true
        _ = adapter.playbackPosition
        for target in [30, 60] as [Int64] {
            clock.advance(1)
            base.currentPlaybackPosition = CMTime(value: target, timescale: 1)
            // The adapter reads in a task that is queued on the main actor before this one continues.
            await Task { @MainActor in }.value
        }
        clock.advance(5)
        #expect(adapter.playbackPosition.position.seconds == 60 && adapter.playbackPosition.hostTime.seconds == 2)
    }

    @Test func seekingSetsThePositionAndIsADiscontinuity() {
        base.isPlaying = true
        let before = adapter.playbackPosition
        adapter.seek(to: CMTime(value: 1, timescale: 10), tolerance: .zero)
        #expect(base.currentPlaybackPosition.seconds == 0.1)
        #expect(adapter.playbackPosition != before && adapter.playbackPosition.position.seconds == 0.1)
        let after = adapter.playbackPosition
        adapter.seek(to: .indefinite, tolerance: .zero)
        #expect(base.currentPlaybackPosition.seconds == 0.1 && adapter.playbackPosition === after)
    }

    @Test func positionsThatAreNoNumbersPassThrough() {
        base.currentPlaybackPosition = .indefinite
        base.isPlaying = true
        let unknown = adapter.playbackPosition
        #expect(unknown.position.isIndefinite && adapter.playbackPosition === unknown)
        base.currentPlaybackPosition = CMTime(value: 3, timescale: 1)
        #expect(adapter.playbackPosition.position.seconds == 3)
    }

    @Test func aStructureLivesOnInside() {
        let clock = clock
        let adapter = AVInterfaceControlAdapter(EarlierStructure(), now: { clock.time })
        #expect(notices(\.isPlaying, in: adapter) { adapter.isPlaying = true })
        #expect(adapter.isPlaying && adapter.base.isPlaying)
        #expect(
            notices(\.playbackPosition, in: adapter) {
                adapter.seek(to: CMTime(value: 9, timescale: 1), tolerance: .zero)
            })
        #expect(adapter.playbackPosition.position.seconds == 9)
    }

    @Test func theAdapterDoesNotKeepItselfAlive() async {
        weak var gone: AVInterfaceControlAdapter?
        do {
            let short = AVInterfaceControlAdapter(base)
            _ = short.playbackPosition
            gone = short
        }
        base.currentPlaybackPosition = CMTime(value: 5, timescale: 1)
        await Task { @MainActor in }.value
        #expect(gone == nil)
    }

    @Test func theEarlierSpellingOfTheAppReadsAndWritesAnyControl() {
        let control: any AVPlaybackUserInterfaceControllable = adapter
        base.playbackError = CancellationError()
        #expect(control.playbackError is CancellationError)
        control.currentPlaybackPosition = CMTime(value: 42, timescale: 1)
        #expect(base.currentPlaybackPosition.seconds == 42 && control.currentPlaybackPosition.seconds == 42)
        base.currentPlaybackPosition = CMTime(value: 1_000, timescale: 1)
        #expect(control.currentPlaybackPosition.seconds == 100)
    }
}
