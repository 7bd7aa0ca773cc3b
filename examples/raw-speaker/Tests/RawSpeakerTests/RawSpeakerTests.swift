import Foundation
import MediaDeviceTesting
import Testing

@testable import RawSpeaker

@Suite(.timeLimit(.minutes(1)))
@MainActor
struct RawSpeakerTests {
    /// A speaker of the test, and a session with it.
    private func activated(
        _ system: TestSystem<RawSpeaker>
    ) async throws -> (ScriptedPeer, TestSession<RawSpeaker>) {
        let speaker = try ScriptedPeer()
        system.startDiscovery()
        system.network.announce("Kitchen", type: RawSpeaker.serviceType, addresses: ["127.0.0.1"], port: speaker.port)
        let device = try await system.foundDevice(named: "Kitchen")
        #expect(device.capabilities == .realtimeAudioStreaming)
        let session = system.activate(device, for: .realtimeAudioStreaming)
        try await session.activated()
        return (speaker, session)
    }

    @Test func everySampleArrives() async throws {
        let system = TestSystem(RawSpeaker())
        let (speaker, session) = try await activated(system)
        let delivery = try session.startSampleDelivery()
        let connection = try await speaker.connection()
        let block = Data((0..<4_000).map { UInt8(truncatingIfNeeded: $0) })
        try delivery.send(block)
        try delivery.send(block)
        #expect(try await connection.receive(8_000) == block + block)
        session.stopSampleDelivery()
        try await system.report("the quality") { [id = session.id] in
            $0 == .qualityReported(thresholdsMet: true, session: id)
        }
    }

    @Test func aGapIsToldOf() async throws {
        let system = TestSystem(RawSpeaker())
        let (speaker, session) = try await activated(system)
        let delivery = try session.startSampleDelivery()
        let connection = try await speaker.connection()
        try delivery.send(Data(count: 400))
        delivery.skip(frames: 1)
        try delivery.send(Data(count: 400))
        _ = try await connection.receive(800)
        session.stopSampleDelivery()
        try await system.report("the quality") { [id = session.id] in
            $0 == .qualityReported(thresholdsMet: false, session: id)
        }
    }

    /// Three formats of a source: one is what the speaker plays, one can be converted to it.
    @Test func otherFormats() async throws {
        let system = TestSystem(RawSpeaker())
        let (speaker, session) = try await activated(system)
        let mono = try session.startSampleDelivery(
            MediaSampleFormat(encoding: .float32, sampleRate: 44_100, channelCount: 1))
        let connection = try await speaker.connection()
        try mono.send(withUnsafeBytes(of: Float(0.5).bitPattern.littleEndian) { Data($0) })
        #expect(try await connection.receive(4) == Data([0x00, 0x40, 0x00, 0x40]))
        session.stopSampleDelivery()
        _ = try session.startSampleDelivery(
            MediaSampleFormat(encoding: .signed16, sampleRate: 48_000, channelCount: 2))
        try await system.report("the refusal") { [id = session.id] in
            if case .sessionFailed(id, let error) = $0 { error.code == "unsupported-format" } else { false }
        }
    }

    @Test func aSpeakerThatLeavesEndsTheSession() async throws {
        let system = TestSystem(RawSpeaker())
        let (speaker, session) = try await activated(system)
        let delivery = try session.startSampleDelivery()
        let connection = try await speaker.connection()
        try delivery.send(Data(count: 400))
        _ = try await connection.receive(400)
        connection.close()
        // A closed connection is noticed by writing.
        while (try? delivery.send(Data(count: 4_000))) != nil { await Task.yield() }
        try await system.report("the failure") { [id = session.id] in
            if case .sessionFailed(id, _) = $0 { true } else { false }
        }
    }
}
