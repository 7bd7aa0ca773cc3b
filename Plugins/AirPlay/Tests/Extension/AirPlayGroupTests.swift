import AirPlayProtocol
import Foundation
import MediaDeviceTesting
import PlaybackKit
import TestConditions
import Testing

@testable import AirPlayExtension

/// Several receivers in one session.
@Suite(.serialized, .timeLimit(.minutes(1)))
@MainActor
struct AirPlayGroupTests {
    private let system = TestSystem.readingMedia(
        AirPlayExtension(
            .init(
                timeouts: AirPlayTimeouts(connecting: .seconds(2), answer: .seconds(5)),
                ports: StreamPorts(range: 26_101...26_132), reconnection: ReconnectPolicy(limit: .seconds(2)))))

    /// The sound packets without their first two bytes, in which the first of each receiver is marked.
    private func packets(_ receiver: FakeReceiver) -> [[UInt8]] { receiver.now().audio.map { Array($0.dropFirst(2)) } }

    @Test func theyGetTheSameAtTheSameTimes() async throws {
        let (kitchen, bath) = (try await FakeReceiver(), try await FakeReceiver())
        let session = system.activate(try kitchen.device("Kitchen"))
        try await session.activated()
        let joining = system.activate(try bath.device("Bath"), joining: session)
        try await joining.activated()
        let file = try WaveFile(seconds: 2)
        session.start(file.url)
        try await session.ended()
        #expect(kitchen.now().payloads == file.payloads())
        #expect(packets(kitchen) == packets(bath))
        #expect(kitchen.now().control == bath.now().control, "the same frame at the same time")
        #expect(kitchen.now().audio.first?[1] == 0xE0 && bath.now().audio.first?[1] == 0xE0)
        await kitchen.stop()
        await bath.stop()
    }

    @Test func oneJoinsAndAnotherLeaves() async throws {
        let (kitchen, bath) = (try await FakeReceiver(), try await FakeReceiver())
        let file = try WaveFile(seconds: 20)
        defer { withExtendedLifetime(file) {} }
        let session = system.activate(try kitchen.device("Kitchen"))
        try await session.activated()
        session.start(file.url)
        try await session.started()
        await eventually("sound") { kitchen.now().audio.count > 60 }
        let joining = system.activate(try bath.device("Bath"), joining: session)
        try await joining.activated()
        await eventually("the other one") { bath.now().audio.count > 60 }
        let known = Set(packets(kitchen))
        #expect(packets(bath).prefix(40).allSatisfy(known.contains), "the same packets")
        await eventually("text") {
            bath.now().requests.contains { $0.headers["Content-Type"] == MediaText.contentType }
        }
        session.deactivate()
        await eventually("the end for one") { kitchen.now().count("TEARDOWN") == 1 }
        let count = bath.now().audio.count
        await eventually("more for the other") { bath.now().audio.count > count + 60 }
        #expect(bath.now().count("TEARDOWN") == 0 && session.control?.isPlaying == true)
        joining.deactivate()
        await eventually("the end") { bath.now().count("TEARDOWN") == 1 }
        await kitchen.stop()
        await bath.stop()
    }

    @Test func oneThatIsLostTakesNobodyDown() async throws {
        let (kitchen, bath) = (try await FakeReceiver(), try await FakeReceiver())
        let file = try WaveFile(seconds: 20)
        defer { withExtendedLifetime(file) {} }
        let session = system.activate(try kitchen.device("Kitchen"))
        try await session.activated()
        let device = try bath.device("Bath")
        let joining = system.activate(device, joining: session)
        try await joining.activated()
        session.start(file.url)
        try await session.started()
        await eventually("sound") { bath.now().audio.count > 60 }
        bath.hangUp()
        await eventually("a word of it") {
            system.reports.contains { if case .activationFailed(device.id, session.id, _) = $0 { true } else { false } }
        }
        let count = kitchen.now().audio.count
        await eventually("more for the other") { kitchen.now().audio.count > count + 60 }
        // The host opens the way to it again.
        _ = system.activate(device, joining: session)
        await eventually("it is back") { bath.now().count("RECORD") == 2 }
        session.stop()
        await eventually("the end") { kitchen.now().count("TEARDOWN") == 1 && bath.now().count("TEARDOWN") == 1 }
        await kitchen.stop()
        await bath.stop()
    }
}
