import CoreMedia
import Foundation
import MediaDevice
import MediaDeviceTesting
import Testing

@testable import RawDisplay

@Suite(.timeLimit(.minutes(1)))
@MainActor
struct RawDisplayTests {
    /// A display of the test, without sound, and a session with it.
    private func activated(
        _ system: TestSystem<RawDisplay>
    ) async throws -> (ScriptedPeer, TestSession<RawDisplay>) {
        let display = try ScriptedPeer()
        system.startDiscovery()
        system.network.announce("Hall", type: RawDisplay.videoType, addresses: ["127.0.0.1"], port: display.port)
        let device = try await system.foundDevice(named: "Hall")
        #expect(device.capabilities == [.realtimeAudioStreaming, .realtimeVideoStreaming])
        let session = system.activate(device, for: .realtimeVideoStreaming)
        try await session.activated()
        return (display, session)
    }

    private static func frame(_ bytes: Data, isKey: Bool = false) -> MediaVideoFrame {
        MediaVideoFrame(accessUnit: bytes, isKeyFrame: isKey, hostTime: CMTime(value: 1, timescale: 30))
    }

    @Test func everyPictureArrivesAfterTheFirstKeyFrame() async throws {
        let system = TestSystem(RawDisplay())
        let (display, session) = try await activated(system)
        let delivery = try session.startVideoDelivery()
        let connection = try await display.connection()
        try delivery.send(Self.frame(Data([9, 9, 9])))
        // Longer than a packet.
        let key = Data((0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try delivery.send(Self.frame(key, isKey: true))
        try delivery.send(Self.frame(Data([1, 2, 3])))
        #expect(try await connection.receive(150_003) == key + Data([1, 2, 3]))
        #expect(delivery.takeKeyFrameRequests() == 1)
        session.stopSampleDelivery()
        try await system.report("the quality") { [id = session.id] in
            $0 == .qualityReported(thresholdsMet: true, session: id)
        }
    }

    @Test func afterALossItGoesOnWithAKeyFrame() async throws {
        let system = TestSystem(RawDisplay())
        let (display, session) = try await activated(system)
        let delivery = try session.startVideoDelivery()
        let connection = try await display.connection()
        try delivery.send(Self.frame(Data([1]), isKey: true))
        delivery.skip(frames: 1)
        try delivery.send(Self.frame(Data([2])))
        try delivery.send(Self.frame(Data([3]), isKey: true))
        #expect(try await connection.receive(2) == Data([1, 3]))
        #expect(delivery.takeKeyFrameRequests() == 1)
    }

    @Test func aSecondSocketTakesTheSound() async throws {
        let system = TestSystem(RawDisplay())
        let speaker = try ScriptedPeer()
        system.network.announce("Hall", type: RawDisplay.soundType, addresses: ["127.0.0.1"], port: speaker.port)
        let (_, session) = try await activated(system)
        let delivery = try session.startVideoDelivery()
        let connection = try await speaker.connection()
        try delivery.sound.send(Data([1, 0, 2, 0]))
        #expect(try await connection.receive(4) == Data([1, 0, 2, 0]))
    }

    @Test func soundAloneIsRefused() async throws {
        let system = TestSystem(RawDisplay())
        let (_, session) = try await activated(system)
        _ = try session.startSampleDelivery()
        try await system.report("the refusal") { [id = session.id] in
            if case .sessionFailed(id, let error) = $0 { error.code == "not-supported" } else { false }
        }
    }

    @Test func aDisplayThatLeavesEndsTheSession() async throws {
        let system = TestSystem(RawDisplay())
        let (display, session) = try await activated(system)
        let delivery = try session.startVideoDelivery()
        let connection = try await display.connection()
        try delivery.send(Self.frame(Data([1]), isKey: true))
        _ = try await connection.receive(1)
        connection.close()
        // A closed connection is noticed by writing.
        while (try? delivery.send(Self.frame(Data(count: 4_000), isKey: true))) != nil { await Task.yield() }
        try await system.report("the failure") { [id = session.id] in
            if case .sessionFailed(id, _) = $0 { true } else { false }
        }
    }
}
