import Foundation
import MediaDeviceTesting
import PlaybackKit
import Testing

/// Live video, which the host delivers.
extension PlayerExtensionTests {
    private func activated() async throws -> (TestSession<ScriptedExtension>, ScriptedPlayer) {
        let session = system.activate(try device())
        try await session.activated()
        return (session, try #require(described.player))
    }

    private func frame(_ number: UInt8, isKey: Bool = false) -> MediaVideoFrame {
        MediaVideoFrame(
            accessUnit: Data([0, 0, 0, 1, number]), isKeyFrame: isKey,
            hostTime: CMTime(value: CMTimeValue(number) + 1, timescale: 30))
    }

    @Test func picturesAndSoundArrive() async throws {
        let (session, player) = try await activated()
        let delivery = try session.startVideoDelivery(width: 640, height: 480, frameRate: 25)
        try delivery.send(frame(0, isKey: true))
        try delivery.send(frame(1))
        try delivery.sound.send(Data(repeating: 7, count: 400))
        try await until("shown and played") { player.frames.count == 2 && player.received.count == 1 }
        let video = try #require(player.video)
        #expect((video.width, video.height, video.frameRate) == (640, 480, 25))
        #expect(player.frames.map(\.last) == [0, 1] && player.samples != nil)
        video.requestKeyFrame()
        try await until("the request") { delivery.takeKeyFrameRequests() == 1 }
        delivery.finish()
        try await until("the end") { player.hasShownAll && player.hasPlayedAll }
        session.stopSampleDelivery()
        try await until("stopped") { player.asked.last == .stop }
    }

    @Test func aScreenWithoutSoundHasNoSamples() async throws {
        let (session, player) = try await activated()
        let delivery = try session.startVideoDelivery(sound: nil)
        try delivery.send(frame(0, isKey: true))
        try await until("shown") { player.frames.count == 1 }
        #expect(player.samples == nil)
        session.stopSampleDelivery()
        try await until("the end") { player.hasShownAll && player.asked.last == .stop }
    }

    @Test func theNextConnectionBeginsWithAKeyFrame() async throws {
        let (session, first) = try await activated()
        let delivery = try session.startVideoDelivery()
        try delivery.send(frame(0, isKey: true))
        try await until("shown") { first.frames.count == 1 }
        first.lose()
        try await advance(by: .milliseconds(250), until: "another connection") { described.players.count == 2 }
        let second = try #require(described.player)
        try await until("it waits") { second.video != nil && first.hasShownAll }
        #expect(delivery.takeKeyFrameRequests() == 1 && second.run == first.run)
        try delivery.send(frame(1))
        try delivery.send(frame(2, isKey: true))
        try delivery.send(frame(3))
        try await until("shown again") { second.frames.count == 2 }
        #expect(second.frames.map(\.last) == [2, 3])
        session.stopSampleDelivery()
        try await until("the end") { second.hasShownAll }
    }

    @Test func aRefusedScreenIsAnError() async throws {
        let (session, player) = try await activated()
        player.refusal = MediaDeviceError(.sessionFailed, reason: "It takes no H.264.")
        _ = try session.startVideoDelivery()
        let error = try await #require(throws: ReportedError.self) { try await session.ended() }
        #expect(error.message == "It takes no H.264.")
    }
}
