import DBus
import Foundation
import Glibc
import HostInterface
import LinkProtocol
import Synchronization
import Testing

@testable import HostCore

/// Live video for an extension that takes samples.
@Suite(.timeLimit(.minutes(1)))
struct ScreenDeliveryTests {
    private static let id = HostUnderTest.device.id

    private static func device(_ capabilities: DeviceDescription.Capabilities) -> DeviceDescription {
        var device = HostUnderTest.device
        device.capabilities = capabilities
        return device
    }

    private func world(takesSamples: Bool = true) -> HostUnderTest {
        HostUnderTest(
            ScriptedRunner(handlesRealtimeSamples: takesSamples) { call in
                guard case .activate(let device, let session, _, _) = call else { return [] }
                return [.activatedDevice(device: device.id, session: session)]
            })
    }

    private func play(_ world: HostUnderTest) async throws -> String {
        let socket = DBusDescriptor(sending: STDIN_FILENO)
        let screen = OpenScreen(
            try DeliveredVideo(width: 1280, height: 720, rate: 30, socket: socket), sound: socket,
            try SampleFormat(encoding: "s16le", rate: 48_000, channels: 2))
        return try await world.host.play(
            .screen(screen), on: Self.id, application: nil, media: MediaInformation(title: "Screen"), prompt: nil)
    }

    private func deliveryCalls(_ world: HostUnderTest) -> [ExtensionCall.Member] {
        world.runner.calls.map(\.member).filter {
            [.activate, .startSession, .startSampleDelivery, .stopSampleDelivery, .deactivate].contains($0)
        }
    }

    @Test func itGoesToTheExtensionInTheArticlesOrder() async throws {
        let world = world()
        await world.discover(Self.device([.realtimeAudio, .realtimeVideo]))
        let id = try await play(world)
        let session = try await world.host.session(id)
        #expect(session.state == .active && session.playback.isPlaying && session.playback.isLive)
        #expect(session.media.title == "Screen" && session.media.isLiveSound != true)
        try await world.host.stop(id)
        #expect(deliveryCalls(world) == [.activate, .startSampleDelivery, .stopSampleDelivery, .deactivate])
        let delivery = try #require(world.samples.begun.withLock { $0.first })
        #expect(delivery.isEnded.withLock { $0 })
        await world.finish()
    }

    @Test func aDeviceWithoutVideoIsASentence() async throws {
        let world = world()
        await world.discover(Self.device([.realtimeAudio, .urlPlayback]))
        await #expect(throws: HostError(.notSupported, "\(HostUnderTest.device.name) doesn't show live video.")) {
            try await play(world)
        }
        #expect(deliveryCalls(world).isEmpty)
        await world.finish()
    }

    @Test func anExtensionThatTakesNoneIsASentence() async throws {
        let world = world(takesSamples: false)
        await world.discover(Self.device([.realtimeAudio, .realtimeVideo]))
        await #expect(
            throws: HostError(
                .notSupported, "The extension of \(HostUnderTest.device.name) takes no live video.")
        ) { try await play(world) }
        #expect(!deliveryCalls(world).contains(.startSampleDelivery))
        #expect(await world.host.devices.allSatisfy { $0.activation == .idle }, "it was released again")
        await world.finish()
    }
}
