import Foundation
import MediaDeviceTesting
import PlaybackKit
import Testing

/// Lost connections, and restarts of the process.
extension PlayerExtensionTests {
    @Test func aLostConnectionIsMadeAgainAndTheRunAdopted() async throws {
        let (session, first, _) = try await playing()
        let control = try #require(session.control)
        first.lose()
        try await until("lost") { control.isBuffering }
        control.isPlaying = false
        try await advance(by: .milliseconds(250), until: "another connection") { described.players.count == 2 }
        try await until("adopted") { described.players.count == 2 && described.player?.asked.count == 2 }
        let second = try #require(described.player)
        #expect(second.asked == [.adopt(token: nil), .perform(.setPlaying(false))])
        #expect(!control.isBuffering && ended(session).isEmpty)
    }

    @Test func whatIsOverByThenEnds() async throws {
        let (session, first, _) = try await playing()
        described.secretToStore = nil
        described.failure = MediaDeviceError(.connectionFailed, reason: "Not yet.")
        first.lose()
        try await advance(by: .milliseconds(250), until: "some attempts") { described.secrets.count > 3 }
        #expect(ended(session).isEmpty)
        described.failure = MediaDeviceError(.authorizationFailed, reason: "Not any more.")
        try await advance(by: .seconds(1), until: "the end") { !ended(session).isEmpty }
        let error = try await #require(throws: ReportedError.self) { try await session.ended() }
        #expect(error.code == "authorization-failed")
        #expect(ended(session).count == 1)
    }

    @Test func aStoredSecretThatIsRefusedAfterALossIsForgotten() async throws {
        described.password = "4711"
        let device = try device()
        system.setCredential(Data("4711".utf8), for: device)
        let (session, first, _) = try await playing()
        described.password = "4712"
        first.lose()
        try await advance(by: .milliseconds(250), until: "the end") { !ended(session).isEmpty }
        #expect(described.secrets.last == .stored(Data("4711".utf8)))
        #expect(system.credential(for: device) == nil)
    }

    @Test func itGivesUpAfterAMinute() async throws {
        let (session, first, _) = try await playing()
        described.failure = MediaDeviceError(.connectionFailed, reason: "Gone.")
        first.lose()
        for _ in 0..<58 { await clock.advance(by: .seconds(1)) }
        #expect(ended(session).isEmpty)
        try await advance(by: .seconds(1), until: "the end") { !ended(session).isEmpty }
        let error = try await #require(throws: ReportedError.self) { try await session.ended() }
        #expect(error.code == "unreachable" && ended(session).count == 1)
        #expect((10...25).contains(described.secrets.count), "\(described.secrets.count) attempts")

        described.failure = nil
        let again = system.activate(try device())
        try await again.activated()
    }

    @Test func aDeviceThatIsLostAgainAtOnceIsGivenUpInTime() async throws {
        let (session, first, _) = try await playing()
        await clock.advance(by: .seconds(10))
        first.lose()
        var losses = 1
        for _ in 0..<300 where ended(session).isEmpty {
            await clock.advance(by: .milliseconds(250))
            guard described.players.count > losses, let player = described.player else { continue }
            losses = described.players.count
            player.refusal = MediaDeviceError(.connectionFailed, reason: "It is gone again.")
            player.lose()
        }
        let error = try await #require(throws: ReportedError.self) { try await session.ended() }
        #expect(error.code == "unreachable" && ended(session).count == 1)
        #expect((10...25).contains(losses), "\(losses) connections")
    }

    // MARK: Adoption

    @Test func anEarlierPlaybackIsAdopted() async throws {
        let session = system.activate(try device())
        try await session.activated()
        try session.adopt(EarlierPlayback(url: media, token: Data("7".utf8)))
        try await session.started()
        #expect(described.player?.asked == [.adopt(token: Data("7".utf8))])
    }

    @Test func aPlaybackThatIsStoppedWhileItIsAdoptedStops() async throws {
        let session = system.activate(try device())
        try await session.activated()
        let player = try #require(described.player)
        player.holdsLoads = true
        try session.adopt(EarlierPlayback(url: media))
        try await until("asked") { player.gate != nil }
        session.stop()
        player.answerWish()
        try await until("stopped") { player.asked == [.adopt(token: nil), .stop] }
        #expect(ended(session).isEmpty)
    }

    @Test func anEarlierPlaybackThatIsOverEnds() async throws {
        let session = system.activate(try device())
        try await session.activated()
        described.player?.isStillPlaying = false
        try session.adopt(EarlierPlayback(url: media))
        try await session.ended()
        #expect(ended(session).count == 1)
    }

    @Test func wishesOutliveTheConnectionForAMinute() async throws {
        let (session, player, _) = try await playing()
        let control = try #require(session.control)
        described.failure = MediaDeviceError(.connectionFailed, reason: "Gone.")
        player.lose()
        try await until("lost") { control.isBuffering }
        control.volume = 0.9
        #expect(control.volume == Float(0.9))
        try await advance(by: .seconds(1), until: "taken back") { control.volume < 0.6 }
        #expect(!player.asked.contains(.perform(.setVolume(Double(Float(0.9))))))
    }
}
