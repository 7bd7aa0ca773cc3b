import Foundation
import Glibc
import HostInterface
import LinkProtocol
import ManualTime
import Synchronization
import Testing

@testable import HostCore

/// Live sound for an extension that takes samples.
@Suite(.timeLimit(.minutes(1)))
struct SampleDeliveryTests {
    private static let id = HostUnderTest.device.id

    private static let willing = { @Sendable (call: ExtensionCall) -> [ExtensionMessage] in
        switch call {
        case .activate(let device, let session, _, _): [.activatedDevice(device: device.id, session: session)]
        case .stopSampleDelivery(let session): [.reportQuality(session: session, thresholdsMet: true)]
        default: []
        }
    }

    private static func runner(_ script: @escaping @Sendable (ExtensionCall) -> [ExtensionMessage] = willing)
        -> ScriptedRunner
    {
        ScriptedRunner(handlesRealtimeSamples: true, script: script)
    }

    private static var speaker: DeviceDescription {
        var speaker = HostUnderTest.device
        speaker.capabilities = [.realtimeAudio]
        return speaker
    }

    /// Samples without an end: nothing reads them here.
    private static func sound() throws -> PlaybackSource {
        let stream = OpenStream(descriptor: open("/dev/zero", O_RDONLY), samples: try SampleFormat(encoding: "s16le"))
        return .stream(stream)
    }

    private func play(_ world: HostUnderTest) async throws -> String {
        try await world.host.play(
            Self.sound(), on: Self.id, application: nil, media: MediaInformation(title: "Sound"), prompt: nil)
    }

    /// The calls of a delivery, in order.
    private func calls(_ world: HostUnderTest) -> [ExtensionCall.Member] {
        world.runner.calls.map(\.member).filter {
            [.activate, .startSession, .startSampleDelivery, .stopSampleDelivery, .stopSession, .deactivate].contains(
                $0)
        }
    }

    @Test func samplesGoToTheExtensionInTheArticlesOrder() async throws {
        let world = HostUnderTest(Self.runner())
        await world.discover(Self.speaker)
        let session = try await play(world)
        let playing = try await world.host.session(session)
        #expect(playing.state == .active && playing.playback.isPlaying && playing.playback.isLive)
        #expect(playing.media.isLiveSound == true)
        try await world.host.stop(session)
        #expect(calls(world) == [.activate, .startSampleDelivery, .stopSampleDelivery, .deactivate])
        let delivery = try #require(world.samples.begun.withLock { $0.first })
        #expect(delivery.isEnded.withLock { $0 })
        #expect(await world.host.devices.first?.lastDeliveryPassed == true)
        await world.finish()
    }

    @Test func aDeviceThatPlaysURLsTooGetsThem() async throws {
        let world = HostUnderTest(
            Self.runner { call in
                guard case .startSession(let session, _, _, _) = call else { return Self.willing(call) }
                return [.started(session: session, application: "", state: PlaybackState())]
            })
        var device = Self.speaker
        device.capabilities = [.realtimeAudio, .urlPlayback]
        await world.discover(device)
        _ = try await world.host.play(
            URL(string: "http://media.example/a.mp3")!, on: Self.id, application: nil, media: MediaInformation(),
            prompt: nil)
        _ = try await play(world)
        #expect(calls(world) == [.activate, .startSession, .stopSession, .startSampleDelivery])
        await world.finish()
    }

    @Test func theNextProcessGetsTheRest() async throws {
        let world = HostUnderTest(Self.runner())
        await world.discover(Self.speaker)
        let session = try await play(world)
        world.runner.crash()
        await world.until { await $0.liveSessions.first?.state == .reconnecting }
        world.runner.restart()
        await world.until { await $0.liveSessions.first?.state == .active }
        #expect(await world.host.liveSessions.map(\.id) == [session])
        let delivery = try #require(world.samples.begun.withLock { $0.first })
        #expect(delivery.connections.withLock { $0 } == 2)
        #expect(!delivery.isEnded.withLock { $0 })
        await world.finish()
    }

    /// The last samples take their time until they are heard.
    @Test func theEndWaitsForTheLatency() async throws {
        let clock = ManualClock()
        let world = HostUnderTest(Self.runner(), clock: clock)
        await world.discover(Self.speaker)
        let session = try await play(world)
        let link = try #require(
            world.runner.calls.compactMap {
                if case .startSampleDelivery(let session, _, _) = $0 { session } else { nil }
            }.last)
        world.runner.emit(.message(.measureQuality(session: link, quality: DeliveryQuality(latency: 3))))
        await world.until { await $0.liveSessions.first?.quality?.latency == 3 }
        let delivery = try #require(world.samples.begun.withLock { $0.first })
        delivery.whenOver(.success(()))
        while await !world.host.liveSessions.isEmpty { clock.advance(by: .milliseconds(100)) }
        #expect(clock.now.offset >= .seconds(3))
        #expect(await world.lastEnding(of: session) == .finished)
        await world.until { _ in calls(world).contains(.deactivate) }
        #expect(calls(world) == [.activate, .startSampleDelivery, .stopSampleDelivery, .deactivate])
        await world.finish()
    }

    /// An extension with a control object reports the end itself, and may pause.
    @Test func aControlObjectDecides() async throws {
        let world = HostUnderTest(
            Self.runner { call in
                guard case .startSampleDelivery(let session, _, _) = call else { return Self.willing(call) }
                var state = PlaybackState()
                state.isPlaying = true
                return [.started(session: session, application: "", state: state)]
            }, clock: ManualClock())
        await world.discover(Self.speaker)
        let session = try await play(world)
        let delivery = try #require(world.samples.begun.withLock { $0.first })
        let link = try #require(
            world.runner.calls.compactMap {
                if case .startSampleDelivery(let session, _, _) = $0 { session } else { nil }
            }.last)
        world.runner.emit(.message(.playbackChanged(session: link, state: PlaybackState())))
        await world.until { _ in delivery.isHeld.withLock { $0 } }
        delivery.whenOver(.success(()))
        world.runner.emit(.message(.sessionEnded(session: link, ending: .finished)))
        #expect(await world.lastEnding(of: session) == .finished)
        #expect(!calls(world).contains(.stopSampleDelivery))
        await world.finish()
    }

    @Test func anExtensionThatTakesNothingFails() async throws {
        let world = HostUnderTest(Self.runner())
        await world.discover(Self.speaker)
        let session = try await play(world)
        let delivery = try #require(world.samples.begun.withLock { $0.first })
        delivery.whenOver(.failure(HostError(.timedOut, "The extension doesn't take the samples.")))
        await world.until { await $0.liveSessions.isEmpty }
        #expect(await world.states(of: session) == [.starting, .active, .failed])
        #expect(await world.host.devices.first?.lastError?.code == .timedOut)
        await world.finish()
    }
}
