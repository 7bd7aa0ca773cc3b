import AVKit
import CoreMedia
import HostInterface
import Observation
import PlaybackMirroring
import Synchronization
import Testing

@MainActor
@Suite("A control object that stands for another", .timeLimit(.minutes(1)))
struct MirroredPlaybackControlTests {
    private final class Sent {
        var commands: [PlaybackCommand] = []
    }

    private let sent = Sent()

    /// `timeout` ends when the gate is opened.
    private func mirror(
        _ state: PlaybackState, timeout: @escaping @Sendable () async throws -> Void = { try await never() }
    ) -> MirroredPlaybackControl {
        MirroredPlaybackControl(state, confirmationTimeout: timeout) { [sent] in sent.commands.append($0) }
    }

    @Test("a state goes through it unchanged")
    func roundTrip() {
        let control = SampleControl()
        control.currentAudioOption = control.audioOptions[0]
        control.seekableTimeRanges = [SampleControl.range(10, 20)]
        control.error = HostError(.unreachable, "Gone.")
        let state = PlaybackStateReader.state(of: control)
        #expect(PlaybackStateReader.state(of: mirror(state)) == state)

        let updated = mirror(PlaybackState())
        updated.update(state)
        #expect(PlaybackStateReader.state(of: updated) == state)
        updated.update(PlaybackState())
        var empty = PlaybackStateReader.state(of: updated)
        #expect(empty.currentSegment?.timeRange == .init(start: 0, duration: 0))
        empty.currentSegment = nil
        #expect(empty.unsupported == [], "a state that tells nothing of it lacks nothing")
        empty.unsupported = nil
        #expect(empty == PlaybackState())
    }

    @Test("every write is a command")
    func commands() {
        let state = PlaybackStateReader.state(of: SampleControl())
        let control = mirror(state)
        control.isPlaying = true
        control.isMuted = true
        control.volume = 2
        control.volume = .nan
        control.playbackSpeed = 1.5
        control.scanSpeed = -2
        control.state = .scanning
        control.currentAudioOption = control.audioOptions[1]
        control.currentAudioDescriptionOption = nil
        control.currentLegibleOption = control.legibleOptions[0]
        control.seek(to: CMTime(seconds: 30, preferredTimescale: 600), tolerance: .positiveInfinity)
        control.seek(to: .invalid, tolerance: .zero)
        #expect(
            sent.commands == [
                PlaybackCommand(.setPlaying, flag: true),
                PlaybackCommand(.setMuted, flag: true),
                PlaybackCommand(.setVolume, number: 1),
                PlaybackCommand(.setPlaybackSpeed, number: 1.5),
                PlaybackCommand(.setScanSpeed, number: -2),
                PlaybackCommand(.setMode, identifier: "scanning"),
                PlaybackCommand(.selectAudio, identifier: "de"),
                PlaybackCommand(.selectAudioDescription),
                PlaybackCommand(.selectLegible, identifier: "cc"),
                PlaybackCommand(.seek, number: 30, tolerance: .infinity),
            ])
        #expect(control.playbackSpeed == 1)
        #expect(control.state == .normal)
        #expect(control.currentAudioOption == nil)
    }

    @Test("play, mute and level show at once; the device's state wins")
    func optimistic() {
        var state = PlaybackState()
        state.volume = 0.5
        let control = mirror(state)
        control.isPlaying = true
        control.isMuted = true
        control.volume = 0.75
        #expect(control.isPlaying && control.isMuted && control.volume == 0.75)
        control.update(state)
        #expect(!control.isPlaying && !control.isMuted && control.volume == 0.5)
    }

    @Test("a write that is never confirmed falls back to the device's state")
    func fallsBack() async {
        let gate = AsyncStream.makeStream(of: Void.self)
        let control = mirror(PlaybackState()) { for await _ in gate.stream { return } }
        control.isPlaying = true
        #expect(control.isPlaying)
        gate.continuation.yield()
        await eventually { !control.isPlaying }
        #expect(sent.commands == [PlaybackCommand(.setPlaying, flag: true)])
    }

    @Test("a failed command can be taken back")
    func reverts() {
        let control = mirror(PlaybackState())
        control.isPlaying = true
        control.revertUnconfirmedWrites()
        #expect(!control.isPlaying)
    }

    @Test("only observers of what changed are told")
    func granular() {
        let state = PlaybackStateReader.state(of: SampleControl())
        let control = mirror(state)
        let told = Mutex<Set<String>>([])
        func watch(_ name: String, _ read: () -> Void) {
            withObservationTracking(read) { _ = told.withLock { $0.insert(name) } }
        }
        watch("volume") { _ = control.volume }
        watch("metadata") { _ = control.metadata }
        watch("segments") { _ = control.segments }
        watch("position") { _ = control.playbackPosition }
        watch("options") { _ = control.audioOptions }
        watch("playing") { _ = control.isPlaying }
        var next = state
        next.volume = 1
        next.position.value = 50
        control.update(next)
        #expect(told.withLock { $0 } == ["volume", "position"])
    }
}

private func never() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
    throw CancellationError()
}
