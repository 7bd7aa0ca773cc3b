import AVKit
import HostInterface
import PlaybackMirroring
import Testing

@MainActor
@Suite("Observing a control object", .timeLimit(.minutes(1)))
struct PlaybackObservationTests {
    private final class Published {
        var states: [PlaybackState] = []
    }

    private let control = SampleControl()
    private let published = Published()

    private func observe() -> PlaybackObservation {
        PlaybackObservation(of: control) { [published] in published.states.append($0) }
    }

    @Test("the first reading is kept, not published")
    func first() async {
        let observation = observe()
        #expect(observation.published.title == "A film")
        await nextTurns()
        #expect(published.states.isEmpty)
    }

    @Test("several changes in one turn are published as one state")
    func coalesced() async {
        let observation = observe()
        control.isPlaying = true
        control.volume = 0.75
        control.isMuted = true
        control.playbackPosition = SampleControl.position(20, at: 1001, rate: 1)
        #expect(published.states.isEmpty)
        await eventually { !published.states.isEmpty }
        await nextTurns()
        #expect(published.states.count == 1)
        #expect(published.states.first == PlaybackStateReader.state(of: control))
        #expect(observation.published.volume == 0.75)
    }

    @Test("changes in different turns are published one after the other")
    func twice() async {
        let observation = observe()
        for level in [0.1, 0.2, 0.3] as [Float] {
            control.volume = level
            await eventually { observation.published.volume == Double(level) }
        }
        #expect(published.states.map(\.volume) == [0.1, 0.2, 0.3].map { Double(Float($0)) })
    }

    @Test("a change that is taken back, and a position that was foreseeable, are not published")
    func nothingNew() async {
        control.playbackPosition = SampleControl.position(10, at: 1000, rate: 1)
        let observation = observe()
        control.isPlaying = true
        control.isPlaying = false
        await nextTurns()
        control.playbackPosition = SampleControl.position(15.01, at: 1005, rate: 1)
        await nextTurns()
        #expect(published.states.isEmpty)

        control.playbackPosition = SampleControl.position(40, at: 1006, rate: 1)
        await eventually { !published.states.isEmpty }
        #expect(observation.published.position == .init(value: 40, hostTime: 1006, rate: 1))
    }

    @Test("nothing is published after cancel(), nor after the observation is gone")
    func ended() async {
        let observation = observe()
        control.volume = 0.9
        observation.cancel()
        await nextTurns()
        do {
            let short = observe()
            _ = short
            control.volume = 0.8
        }
        await nextTurns()
        #expect(published.states.isEmpty)
    }

    @Test(
        "positions are foreseeable within 20 milliseconds",
        arguments: [(12.0, 1002.0, 1.0, true), (12.01, 1002, 1, true), (12.03, 1002, 1, false), (12, 1002, 2, false)])
    func foreseeable(value: Double, hostTime: Double, rate: Double, isForeseeable: Bool) {
        var old = PlaybackState()
        old.position = .init(value: 10, hostTime: 1000, rate: 1)
        var new = old
        new.position = .init(value: value, hostTime: hostTime, rate: rate)
        #expect(old.foretells(new) == isForeseeable)
    }

    @Test("a standing position is foreseeable only if it stands")
    func standing() {
        var old = PlaybackState()
        old.position = .init(value: 10, hostTime: 1000, rate: 0)
        var new = old
        new.position.hostTime = 2000
        #expect(old.foretells(new))
        new.position.value = 10.1
        #expect(!old.foretells(new))
        new.position.value = 10
        new.title = "Another"
        #expect(!old.foretells(new))
    }
}

@MainActor
@Suite("Observing an object that publishes nothing", .timeLimit(.minutes(1)))
struct SilentObjectTests {
    /// A control whose changes Observation doesn't notice.
    private final class SilentControl: AVPlaybackUserInterfaceControllable, Observable {
        let isReady = true
        var isPlaying = false
        var volume: Float = 0
        let timeRange = SampleControl.range(0, 100)
        var playbackPosition = SampleControl.position(0, at: 0, rate: 0)
        let metadata = AVPlaybackUserInterfaceContentMetadata(title: "Song")
    }

    private let control = SilentControl()
    private let pauses: AsyncStream<Void>
    private let pause: AsyncStream<Void>.Continuation
    private let waits = Waits()

    init() { (pauses, pause) = AsyncStream.makeStream(of: Void.self) }

    /// The number of waits for a reading.
    @MainActor
    private final class Waits {
        var count = 0
    }

    private func observe() -> PlaybackObservation {
        PlaybackObservation(of: control) { @MainActor [pauses, waits] in
            waits.count += 1
            for await _ in pauses { return }
            throw CancellationError()
        } publish: { _ in
        }
    }

    @Test("is read again after a command")
    func afterCommands() async {
        let observation = observe()
        control.volume = 0.5
        await nextTurns()
        #expect(observation.published.volume == 0, "nobody told")
        observation.readAgain()
        await eventually { observation.published.volume == 0.5 }
        #expect(waits.count == 0, "it does not play")
    }

    @Test("is read from time to time while it plays, and not when it is paused")
    func whilePlaying() async {
        let observation = observe()
        control.isPlaying = true
        observation.readAgain()
        await eventually { waits.count == 1 }
        control.volume = 0.25
        pause.yield()
        await eventually { observation.published.volume == 0.25 && waits.count == 2 }
        control.isPlaying = false
        pause.yield()
        await eventually { !observation.published.isPlaying }
        control.volume = 0.75
        pause.yield()
        await nextTurns()
        #expect(observation.published.volume == 0.25)
    }
}
