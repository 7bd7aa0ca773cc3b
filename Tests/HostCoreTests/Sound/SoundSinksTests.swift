import Foundation
import HostInterface
import LinkProtocol
import ManualTime
import Synchronization
import Testing

@testable import HostCore

@Suite(.timeLimit(.minutes(1)))
struct SoundSinksTests {
    static let speaker: DeviceDescription = {
        var speaker = HostUnderTest.device
        speaker.name = "Kitchen"
        speaker.capabilities = [.realtimeAudio]
        return speaker
    }()
    static let id = speaker.id

    static func willing(_ call: ExtensionCall) -> [ExtensionMessage] {
        switch call {
        case .activate(let device, let session, _, _): return [.activatedDevice(device: device.id, session: session)]
        case .startSession(let session, _, _, let media):
            var state = PlaybackState()
            state.isPlaying = true
            state.title = media.title
            return [.started(session: session, application: "", state: state)]
        default: return []
        }
    }

    private func linkSession(_ world: SoundWorld) -> String? {
        world.home.runner.calls.compactMap { if case .startSession(let session, _, _, _) = $0 { session } else { nil } }
            .last
    }

    private func setsLevel(_ world: SoundWorld) -> [Double] {
        world.home.runner.calls.compactMap { if case .setVolume(_, let level) = $0 { level } else { nil } }
    }

    @Test func whatIsPlayedToASinkIsPlayedOnItsDevice() async throws {
        let store = MemorySinks()
        let world = SoundWorld(ScriptedRunner(script: Self.willing), store: store)
        await world.home.discover(Self.speaker)
        let added = try await world.sinks.add(Self.id, latency: nil)
        #expect(added == SoundSinkStatus(id: Self.id, name: "Kitchen", state: .ready, server: "Scripted"))
        #expect(store.records.withLock { $0 } == [SoundSinkRecord(id: Self.id, name: "Kitchen")])
        #expect(world.server.shown[Self.id]?.name == "Kitchen")

        world.server.tell(.sound(id: Self.id))
        await world.until { await world.state() == .playing }
        let session = try #require(await world.home.host.liveSessions.first)
        #expect(session.media.title == "Sound of home" && session.source == PlaybackSource.streamAddress)
        #expect(setsLevel(world).isEmpty, "the speaker's own level is kept")

        world.home.runner.emit(.message(.sessionEnded(session: try #require(linkSession(world)), ending: nil)))
        await world.until { await world.state() == .ready }
        world.server.tell(.sound(id: Self.id))
        await world.until { await world.state() == .playing }
        await world.finish()
    }

    @Test func aLatencyIsKeptAndAsked() async throws {
        let store = MemorySinks()
        let world = SoundWorld(ScriptedRunner(handlesRealtimeSamples: true, script: Self.willing), store: store)
        await world.home.discover(Self.speaker)
        #expect(try await world.sinks.add(Self.id, latency: nil).requestedLatency == nil)
        let half = try RequestedLatency(seconds: 0.5)
        #expect(try await world.sinks.add(Self.id, latency: half).requestedLatency == 0.5)
        // Naming none changes nothing.
        #expect(try await world.sinks.add(Self.id, latency: nil).requestedLatency == 0.5)
        #expect(store.records.withLock { $0 } == [SoundSinkRecord(id: Self.id, name: "Kitchen", latency: 0.5)])
        #expect(world.server.shown[Self.id]?.delay == 0.5, "expected until it is measured")
        world.server.tell(.sound(id: Self.id))
        await world.until { await world.state() == .playing }
        #expect(world.server.latencies == [0.5])
        await world.finish()
    }

    @Test func aDeviceThatReadsAURLChoosesItsLatency() async throws {
        let store = MemorySinks()
        let world = SoundWorld(ScriptedRunner(script: Self.willing), store: store)
        await world.home.discover(Self.speaker)
        let half = try RequestedLatency(seconds: 0.5)
        let error = await #expect(throws: HostError.self) { try await world.sinks.add(Self.id, latency: half) }
        #expect(error?.code == .notSupported && store.records.withLock { $0.isEmpty })
        #expect(throws: HostError.self) { try RequestedLatency(seconds: 0.01) }
        #expect(throws: HostError.self) { try RequestedLatency(seconds: .nan) }
        await world.finish()
    }

    @Test func whoCannotHaveOneIsToldWhy() async throws {
        let store = MemorySinks()
        let world = SoundWorld(ScriptedRunner(script: Self.willing), store: store)
        var films = HostUnderTest.device
        films.liveFormat = .unsupported
        await world.home.discover(films)
        await #expect(throws: HostError(.notSupported, "Living Room doesn't play sound of this computer.")) {
            try await world.sinks.add(Self.id, latency: nil)
        }
        var computer = Self.speaker
        computer.endpoints = [ComputerSound.endpoint]
        await world.home.discover(computer)
        await #expect(throws: HostError(.notSupported, "Kitchen doesn't play sound of this computer.")) {
            try await world.sinks.add(Self.id, latency: nil)
        }
        await world.home.discover(Self.speaker)
        world.server.setThere(false)
        let error = await #expect(throws: HostError.self) { try await world.sinks.add(Self.id, latency: nil) }
        #expect(error?.code == .noSoundServer && error?.remedy != nil)
        #expect(store.records.withLock { $0.isEmpty })
        #expect(await world.sinks.isEmpty)
        await #expect(throws: HostError(.noSuchSink, "The device has no sink.")) {
            try await world.sinks.remove(Self.id)
        }
        await world.finish()
    }

    @Test func theLevelGoesBothWays() async throws {
        let world = SoundWorld(ScriptedRunner(script: Self.willing))
        await world.home.discover(Self.speaker)
        _ = try await world.sinks.add(Self.id, latency: nil)
        world.server.tell(.level(0.3, id: Self.id))
        await world.until { setsLevel(world).last == 0.3 }
        await world.until { world.server.shown[Self.id]?.level == 0.3 }
        world.server.tell(.sound(id: Self.id))
        await world.until { await world.state() == .playing }
        world.home.runner.emit(
            .message(.volumeChanged(device: Self.id, level: 0.7, isMuted: true)))
        await world.until { world.server.shown[Self.id]?.level == 0.7 }
        #expect(world.server.shown[Self.id]?.isMuted == true)
        #expect(setsLevel(world) == [0.3], "what the device tells is not told back")
        await world.finish()
    }

    /// A program that shows a picture has to know when its sound is heard.
    @Test func theDelayIsMeasuredByTheDevicesPositions() async throws {
        let store = MemorySinks()
        let world = SoundWorld(ScriptedRunner(script: Self.willing), store: store)
        await world.home.discover(Self.speaker)
        _ = try await world.sinks.add(Self.id, latency: nil)
        #expect(world.server.shown[Self.id]?.delay == nil)
        var speaker = Self.speaker
        speaker.usualLatency = 2.25
        await world.home.discover(speaker)
        await world.until { world.server.shown[Self.id]?.delay == 2.25 }
        #expect(await world.sinks.statuses.first?.delay == nil, "only expected")
        world.server.tell(.sound(id: Self.id))
        await world.until { await world.state() == .playing }
        // The samples from second 3 on were handed in at 103.5, and second 1 was heard at 104.
        world.server.handed.withLock { $0 = HandedSamples(position: 3, hostTime: 103.5) }
        var state = PlaybackState()
        state.isPlaying = true
        state.position = PlaybackState.Position(value: 1, hostTime: 104, rate: 1)
        let session = try #require(linkSession(world))
        world.home.runner.emit(.message(.playbackChanged(session: session, state: state)))
        await world.until { world.server.shown[Self.id]?.delay == 2.5 }
        #expect(await world.sinks.statuses.first?.delay == 2.5)
        world.home.runner.emit(.message(.sessionEnded(session: session, ending: nil)))
        await world.until { await world.state() == .ready }
        #expect(world.server.shown[Self.id]?.delay == 2.5, "the next playback begins with it")
        #expect(store.records.withLock { $0.first?.delay } == 2.5, "also after a restart")
        await world.finish()
    }

    @Test func onlyWhatIsHeardTellsADelay() {
        var state = PlaybackState()
        state.isPlaying = true
        state.position = PlaybackState.Position(value: 1, hostTime: 104, rate: 1)
        let samples = HandedSamples(position: 3, hostTime: 103.5)
        func delay(_ change: (inout PlaybackState) -> Void, after first: Double? = nil) -> Double? {
            var delay = SinkDelay()
            if let first { delay.take(state, HandedSamples(position: 3, hostTime: 106 - first)) }
            var changed = state
            change(&changed)
            delay.take(changed, samples)
            return delay.value
        }
        #expect(delay { _ in } == 2.5)
        #expect(delay { $0.isPlaying = false } == nil)
        #expect(delay { $0.isBuffering = true } == nil)
        #expect(delay { $0.position.rate = 0 } == nil)
        #expect(delay { $0.position.value = 4 } == nil, "heard before it was handed in")
        #expect(delay { $0.position.value = .nan } == nil)
        #expect(delay { $0.position.hostTime = 200 } == nil)
        #expect(delay({ _ in }, after: 2.49609375) == 2.49609375, "no correction for so little")
        #expect(delay({ _ in }, after: 2.484375) == 2.5)
    }

    /// The daemon knows of no device yet, and the sink is there all the same.
    @Test func sinksAreThereAgainAndFindTheirDevices() async throws {
        let store = MemorySinks()
        store.records.withLock { $0 = [SoundSinkRecord(id: Self.id, name: "Kitchen")] }
        let world = SoundWorld(ScriptedRunner(script: Self.willing), store: store)
        await world.home.host.prepare()
        await world.sinks.restore()
        #expect(world.server.shown[Self.id]?.name == "Kitchen")
        world.server.tell(.sound(id: Self.id))
        await world.until {
            world.home.runner.calls.contains { if case .startDeviceDiscovery = $0 { true } else { false } }
        }
        world.home.runner.emit(.message(.foundDevice(Self.speaker)))
        await world.until { await world.state() == .playing }
        await world.finish()
    }

    @Test func aSinkGoesAndComesWithItsDevice() async throws {
        let world = SoundWorld(ScriptedRunner(script: Self.willing))
        await world.home.discover(Self.speaker)
        _ = try await world.sinks.add(Self.id, latency: nil)
        world.home.runner.emit(.message(.lostDevice(id: Self.id)))
        await world.until { await world.state() == .away }
        await world.until { world.server.shown.isEmpty }
        world.home.runner.emit(.message(.foundDevice(Self.speaker)))
        await world.until { await world.state() == .ready }
        #expect(world.server.shown[Self.id]?.name == "Kitchen")
        await world.finish()
    }

    @Test func aDeviceThatDoesNotAnswerIsToldAndTriedAgain() async throws {
        let runner = ScriptedRunner(script: Self.willing)
        let world = SoundWorld(runner)
        await world.home.discover(Self.speaker)
        _ = try await world.sinks.add(Self.id, latency: nil)
        runner.fail(HostError(.unreachable, "Kitchen does not answer."))
        world.server.tell(.sound(id: Self.id))
        await world.until { await world.state() == .away }
        #expect(await world.sinks.statuses.first?.error?.message == "Kitchen does not answer.")
        #expect(world.server.shut == [Self.id], "programs are not kept waiting")
        await world.until { world.server.shown.isEmpty }
        runner.fail(nil)
        while await world.state() == .away {
            world.clock.advance(by: .seconds(30))
            await Task.yield()
        }
        world.server.tell(.sound(id: Self.id))
        await world.until { await world.state() == .playing }
        #expect(await world.sinks.statuses.first?.error == nil)
        await world.finish()
    }

    @Test func aSinkThatIsRemovedTakesItsSoundWithIt() async throws {
        let store = MemorySinks()
        let world = SoundWorld(ScriptedRunner(script: Self.willing), store: store)
        await world.home.discover(Self.speaker)
        _ = try await world.sinks.add(Self.id, latency: nil)
        world.server.tell(.sound(id: Self.id))
        await world.until { await world.state() == .playing }
        try await world.sinks.remove(Self.id)
        #expect(world.server.shown.isEmpty && store.records.withLock { $0.isEmpty })
        await world.until { await world.home.host.liveSessions.isEmpty }
        await world.finish()
    }
}
