import Foundation
import MPDProtocol
import MediaDeviceTesting
import PlaybackKit
import TestConditions
import Testing

@testable import MPDExtension

/// A second process of the extension resumes, on a real server, the playback of the first one.
@Suite(.serialized, .timeLimit(.minutes(1)), .enabled(if: Requirements.hasBoth, Comment(rawValue: Requirements.reason)))
@MainActor
struct MPDAdoptionTests {
    private let room: MPDRoom
    private var server: MPDServer { room.server }

    init() async throws { room = try await MPDRoom() }

    /// Plays, ends the process, and returns the host's record of the playback.
    private func left(_ address: String, startPosition: Double? = nil) async throws -> EarlierPlayback {
        let (session, _) = try await room.playing(
            address, .init(title: "A title", startPosition: startPosition))
        let tokens = room.system.reports.compactMap { report in
            if case .adoptionTokenSet(let token, session.id) = report { token } else { nil }
        }
        let token: Data = try #require(tokens.last)
        room.restartExtension()
        return EarlierPlayback(url: try #require(URL(string: address)), token: token)
    }

    private func adopt(_ earlier: EarlierPlayback) async throws -> TestSession<MPDExtension> {
        let session = try await room.activate()
        try session.adopt(earlier, information: .init(title: "A title", startPosition: 50))
        return session
    }

    @Test(arguments: [true, false])
    func takesUpTheSongThatPlays(_ isKnown: Bool) async throws {
        try await server.mpc("add", "one.wav")
        let address = room.media.url("/tone.wav")
        var earlier = try await left(address)
        if !isKnown { earlier = EarlierPlayback(url: earlier.url) }
        try await server.mpc("seek", "0:20")
        let session = try await adopt(earlier)
        try await session.started()
        let control = try #require(session.control)
        await eventually("its state") { control.isReady && control.isPlaying }
        #expect((19..<40).contains(control.playbackPosition.position.seconds), "not from where it began")
        #expect(try await server.queue() == ["one.wav", address], "nothing is added")
        try session.perform(.pause)
        try await eventually("paused at the server") { try await room.isPaused() }
        session.stop()
        try await eventually("a clean queue") { try await server.queue() == ["one.wav"] }
    }

    @Test func takesUpTheSongThatIsPaused() async throws {
        let earlier = try await left(room.media.url("/tone.wav"))
        try await server.mpc("pause")
        try await adopt(earlier).started()
        #expect(try await room.isPaused())
    }

    @Test func takesUpTheSongAfterARestartOfTheServer() async throws {
        // The numbers of the songs in the queue are others then.
        try await server.mpc("add", "one.wav", "two.wav")
        try await server.mpc("clear")
        let earlier = try await left(room.media.url("/tone.wav"))
        try await eventually("an age that tells") { try await server.age() >= 3 }
        server.terminate()
        try await server.start()
        try await eventually("playing") { try await room.isPlaying() }
        try await adopt(earlier).started()
    }

    @Test func aSongThatIsOverIsTakenOutOfTheQueue() async throws {
        let address = room.media.url("/tone.wav")
        let earlier = try await left(address)
        try await server.mpc("add", "one.wav")
        try await server.mpc("play", "2")
        // The first process is not dead here, and does so itself.
        try await eventually("a clean queue") { try await server.queue() == ["one.wav"] }
        try await server.mpc("add", address)
        try await adopt(EarlierPlayback(url: earlier.url, token: try await token(of: address))).ended()
        try await eventually("a clean queue") { try await server.queue() == ["one.wav"] }
        #expect(try await room.isPlaying(), "what somebody else chose plays on")
    }

    @Test func theSameAddressUnderAnotherNumberIsThePersonsOwn() async throws {
        let address = room.media.url("/tone.wav")
        let earlier = try await left(address)
        try await server.mpc("clear")
        try await server.mpc("add", address)
        try await server.mpc("play")
        let session = try await adopt(earlier)
        try await session.ended()
        session.deactivate()
        #expect(try await server.queue() == [address])
        #expect(try await room.isPlaying())
    }

    /// The token that a process kept that queued the address before it died.
    private func token(of address: String) async throws -> Data? {
        let link = try await MPDLink.open(room.device.networkEndpoints, password: nil, timeouts: MPDTimeouts())
        let song = try await link.perform([MPDCommand("playlistfind", "file", address)]).first["Id"].flatMap { Int($0) }
        await link.close()
        return MPDSongToken(song: try #require(song), serverStart: link.serverStart).data
    }
}
