import Foundation
import MediaDeviceTesting
import PlaybackKit
import TestConditions
import Testing

@testable import DLNAExtension
@testable import DLNAProtocol

@Suite(.timeLimit(.minutes(1)))
@MainActor
final class RendererVolumeTests {
    private let room: RendererRoom
    private var fake: FakeRenderer { room.fake }
    private var level: Float? { room.system.volume(of: room.device).level.map { Float($0) } }
    private var isMuted: Bool { room.system.volume(of: room.device).isMuted }
    /// The number of times that the host was told of another level.
    private var changes: Int {
        room.system.reports.count { if case .volumeChanged = $0 { true } else { false } }
    }

    init() throws { room = try RendererRoom() }

    /// Activates the renderer, and waits until its level is known.
    private func activate() async throws {
        _ = try await room.activate()
        await eventually("its level") { level == 0.2 }
    }

    private func set(_ level: Float) throws { try room.system.setVolume(level, for: room.device) }
    private func toggleMute() throws { try room.system.toggleMute(of: room.device) }
    private func apply(_ change: RenderingChange) throws { try room.player.handle(.rendering(change)) }

    /// Moves the clock to the kit's next attempt, which comes within five seconds; a request waits for sixty.
    private func reconnect() {
        if let pause = room.clock.nextPause, pause <= .seconds(5) { room.clock.advance(by: pause) }
    }

    @Test func readsAndNeverWritesByItself() async throws {
        try await activate()
        #expect(!isMuted)
        #expect(fake.calls.allSatisfy { $0.hasPrefix("Get") })
    }

    @Test func writesTheLastOfManyLevels() async throws {
        try await activate()
        for level in [0.3, 0.4, 0.5, 7] as [Float] { room.system.extension.setVolume(level, for: room.device) }
        #expect(level == 1)
        await eventually("it is set") { fake.now.volume == 100 }
        #expect(fake.count("SetVolume") <= 2)
        room.system.extension.setVolume(.nan, for: room.device)
        try set(0.5)
        await eventually("it is set") { fake.now.volume == 50 }
        #expect(fake.count("SetVolume") <= 3)
    }

    @Test func takesWhatTheDeviceDoesItself() async throws {
        try await activate()
        await eventually("the host is told") { changes == 1 }
        try apply(RenderingChange(volume: 80))
        await eventually("the level arrived") { changes == 2 && level == 0.8 }
        try apply(RenderingChange(volume: 80))
        try apply(RenderingChange(isMuted: true))
        await eventually("the mute arrived") { changes >= 3 && isMuted }
        #expect(changes == 3 && level == 0.8)
        try apply(RenderingChange(volume: 4000, isMuted: false))
        await eventually("it is bounded") { level == 1 }
    }

    @Test func isNotPulledBackByEchoesOfOlderLevels() async throws {
        try await activate()
        try set(0.6)
        try apply(RenderingChange(volume: 30))
        #expect(level == 0.6)
        await eventually("it is set") { fake.now.volume == 60 }
        #expect(level == 0.6)
        try apply(RenderingChange(volume: 60, isMuted: true))
        await eventually("the event arrived") { isMuted }
        #expect(level == 0.6)
    }

    @Test func insistsOnWhatADeviceDidNotHear() async throws {
        try await activate()
        fake.change { $0.failures["SetVolume"] = [.timedOut, .unreachable("no route"), .timedOut] }
        try set(0.9)
        await eventually("it heard it") {
            reconnect()
            return fake.now.volume == 90
        }
        #expect(level == 0.9)
        await eventually("it is connected") { (try? room.player) != nil && room.clock.nextPause == nil }
        // Not for ever.
        fake.change { $0.failures["SetVolume"] = Array(repeating: .timedOut, count: 100) }
        try set(0.1)
        #expect(level == 0.1)
        await eventually("it gave up") {
            reconnect()
            return level == 0.9
        }
        #expect(fake.now.volume == 90)
    }

    @Test func showsTheTruthAfterARefusal() async throws {
        try await activate()
        fake.change { $0.failures["SetVolume"] = [.fault(.init(code: 501))] }
        try set(0.9)
        await eventually("it is taken back") { level == 0.2 }
        #expect(fake.count("SetVolume") == 1)
    }

    @Test func keepsTheLevelThroughAMute() async throws {
        try await activate()
        fake.change { $0.forgetsLevelWhenMuted = true }
        try toggleMute()
        await eventually("it is muted") { fake.now.isMuted && isMuted }
        try apply(RenderingChange(volume: 0, isMuted: true))
        #expect(level == 0.2)
        try toggleMute()
        await eventually("it is as before") { !fake.now.isMuted && fake.now.volume == 20 }
        #expect(level == 0.2)
    }

    @Test func doesNotTouchTheLevelOfADeviceThatKeepsIt() async throws {
        let session = try await room.activate()
        session.start(try #require(URL(string: "http://192.0.2.1/a.mp3")))
        try await session.started()
        let control = try #require(session.control)
        control.isMuted = true
        control.isMuted = true
        await eventually("it is muted") { fake.now.isMuted }
        control.isMuted = false
        await eventually("it is not") { !fake.now.isMuted && !control.isMuted }
        #expect(fake.count("SetMute") == 2)
        #expect(fake.count("SetVolume") == 0)
    }
}
