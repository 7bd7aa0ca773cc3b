import Foundation
import MPDProtocol
import MediaDeviceTesting
import PlaybackKit
import TestConditions
import Testing

@testable import MPDExtension

@Suite(.serialized, .timeLimit(.minutes(1)), .enabled(if: Requirements.hasBoth, Comment(rawValue: Requirements.reason)))
@MainActor
struct MPDPlaybackTests {
    private let room: MPDRoom
    private var server: MPDServer { room.server }
    private var media: MediaServer { room.media }

    init() async throws { room = try await MPDRoom() }

    @Test func playsPausesSeeksAndStops() async throws {
        let address = media.url("/tone.wav")
        let (session, control) = try await room.playing(address)
        #expect(try await server.mpc("--format", "%file%", "current") == address + "\n")
        #expect(abs(control.timeRange.duration.seconds - 60) < 0.1)
        #expect(control.playbackPosition.rate == 1)
        #expect(control.supportedSeekCapabilities == .seek && !control.containsLiveStreamingContent)
        #expect(control.unsupportedFeatures == [.playbackSpeed, .mute])

        try session.perform(.pause)
        #expect(!control.isPlaying)
        try await eventually("paused at the server") { try await room.isPaused() }
        await eventually("a standing position") { control.playbackPosition.rate == 0 }

        try session.perform(.seek(42))
        try await eventually("seeked at the server") { try await server.mpc("status").contains("0:42/1:00") }
        await eventually("the new position") { abs(control.playbackPosition.position.seconds - 42) < 1 }
        #expect(!control.isPlaying)

        try await server.mpc("play")
        await eventually("resumed by somebody else") { control.isPlaying && control.playbackPosition.rate == 1 }

        try session.perform(.setVolume(0.25))
        try await eventually("the level at the server") { try await server.mpc("volume").contains("25%") }
        try await server.mpc("volume", "60")
        await eventually("the level of somebody else") { abs(control.volume - 0.6) < 0.001 }

        session.stop()
        try await eventually("a clean queue") { try await server.queue() == [] }
        #expect(try await !server.mpc("status").contains("["))
        #expect(!control.isPlaying && control.error == nil)
        #expect(room.story(of: session) == ["started"])
    }

    @Test func leavesAPlayingQueueAsItWas() async throws {
        try await server.mpc("add", "one.wav", "two.wav")
        try await server.mpc("play", "1")
        let address = media.url("/tone.wav")
        let (session, _) = try await room.playing(address)
        #expect(try await server.queue() == ["one.wav", address, "two.wav"])
        session.stop()
        try await eventually("a clean queue") { try await server.queue() == ["one.wav", "two.wav"] }
        // Not the next song of the person's queue: the request was to stop.
        #expect(try await !room.isPlaying())
    }

    @Test func aNewSongTakesThePlaceOfTheOneBefore() async throws {
        try await server.mpc("add", "one.wav", "two.wav")
        try await server.mpc("play", "1")
        let (session, _) = try await room.playing(media.url("/tone.wav"))
        let next = media.url("/tone.wav?next")
        session.start(try #require(URL(string: next)))
        try await eventually("the new song alone") { try await server.queue() == ["one.wav", next, "two.wav"] }
        #expect(try await server.mpc("--format", "%file%", "current") == next + "\n")
        #expect(room.system.reports.allSatisfy { if case .sessionEnded = $0 { false } else { true } })
    }

    @Test func letsAPlayingQueueCarryOnAfterItsEnd() async throws {
        try await server.mpc("add", "one.wav", "two.wav")
        try await server.mpc("play", "1")
        let session = try await room.play(media.url("/short.wav"))
        try await session.ended()
        try await eventually("a clean queue") { try await server.queue() == ["one.wav", "two.wav"] }
        #expect(try await server.mpc("--format", "%file%", "current") == "two.wav\n")
        #expect(try await room.isPlaying())
        #expect(room.story(of: session) == ["started", "ended"])
    }

    @Test func doesNotStartAQueueNobodyStarted() async throws {
        try await server.mpc("add", "one.wav", "two.wav")
        try await room.play(media.url("/short.wav")).ended()
        try await eventually("a clean queue") { try await server.queue() == ["one.wav", "two.wav"] }
        #expect(try await !room.isPlaying())
    }

    @Test func endsWhenSomebodyPlaysSomethingElse() async throws {
        try await server.mpc("add", "one.wav")
        let (session, _) = try await room.playing(media.url("/tone.wav"))
        try await server.mpc("play", "1")
        try await session.ended()
        try await eventually("a clean queue") { try await server.queue() == ["one.wav"] }
        #expect(try await room.isPlaying())
    }

    @Test(arguments: ["stop", "clear"])
    func endsWhenSomebodyEndsIt(command: String) async throws {
        let (session, _) = try await room.playing(media.url("/tone.wav"))
        try await server.mpc(command)
        try await session.ended()
        try await eventually("a clean queue") { try await server.queue() == [] }
    }

    @Test func endsWhereTheServerConsumesWhatItPlayed() async throws {
        try await server.mpc("consume", "on")
        try await room.play(media.url("/short.wav")).ended()
        try await eventually("a clean queue") { try await server.queue() == [] }
    }

    @Test(arguments: [("/missing.wav", "unreachable-url"), ("/text.txt", "unsupported-format")])
    func failsWithTheServersReason(path: String, code: String) async throws {
        try await server.mpc("add", "one.wav")
        let session = try await room.play(media.url(path))
        let error = try await #require(throws: ReportedError.self) { try await session.ended() }
        #expect(error.code == code && error.message.contains("Failed to decode"))
        #expect(room.story(of: session) == [code])
        try await eventually("a clean queue") { try await server.queue() == ["one.wav"] }
    }

    @Test func failsForASchemeTheServerDoesNotKnow() async throws {
        let session = try await room.play("gopherish://10.0.0.1/a")
        let error = try await #require(throws: ReportedError.self) { try await session.started() }
        #expect(error.code == "unsupported-format")
        #expect(try await server.queue() == [])
    }

    @Test func isNotMisledByTheErrorOfAnEarlierSong() async throws {
        let first = try await room.play(media.url("/missing.wav"))
        await #expect(throws: ReportedError.self) { try await first.ended() }
        _ = try await room.playing(media.url("/tone.wav"))
    }

    @Test func tellsTheServerWhatItPlaysAndBeginsWhereAsked() async throws {
        let (_, control) = try await room.playing(
            media.url("/tone.wav"), .init(title: "A title", artist: "An artist", startPosition: 20))
        #expect(control.metadata.title == "A title" && control.metadata.subtitle == "An artist")
        #expect(try await server.mpc("--format", "%artist%/%title%", "current") == "An artist/A title\n")
        await eventually("the position") { control.playbackPosition.position.seconds >= 19 }
    }

    @Test func leavesNothingWhenItIsLeftBeforeItStarts() async throws {
        let session = try await room.play(media.url("/tone.wav"))
        session.stop()
        session.deactivate()
        // The same server again, after everything that was asked over the first connection.
        let next = try await room.activate()
        try await eventually("a clean queue") { try await server.queue() == [] }
        try await eventually("silence") { try await !room.isPlaying() }
        #expect(room.story(of: session) == [])
        next.deactivate()
    }

    @Test func hasNoLevelWithoutAMixer() async throws {
        let room = try await MPDRoom(hasMixer: false)
        let (_, control) = try await room.playing(room.media.url("/tone.wav"))
        await eventually("its word") { control.unsupportedFeatures == [.playbackSpeed, .mute, .volume] }
    }

    // MARK: The connection

    @Test func takesTheSongUpAgainAfterARestartOfTheServer() async throws {
        try await server.mpc("add", "one.wav")
        let (session, control) = try await room.playing(media.url("/tone.wav"))
        server.terminate()
        await eventually("buffering") { control.isBuffering && control.playbackPosition.rate == 0 }
        try await server.start()
        await eventually("playing again") { !control.isBuffering && control.playbackPosition.rate == 1 }
        try session.perform(.pause)
        try await eventually("paused at the server") { try await room.isPaused() }
        session.stop()
        try await eventually("a clean queue") { try await server.queue() == ["one.wav"] }
        #expect(room.story(of: session) == ["started"])
    }

    @Test func endsWhenTheServerComesBackWithSomethingElse() async throws {
        try await server.mpc("add", "one.wav")
        let (session, control) = try await room.playing(media.url("/tone.wav"))
        // Disconnected without a goodbye, as by a cable; another client connects before us.
        server.freeze()
        server.kill()
        await eventually("the loss") { control.isBuffering }
        server.forgetQueue()
        try await server.start()
        try await session.ended()
        #expect(room.story(of: session) == ["started", "ended"])
        #expect(try await server.queue() == [])
    }

    @Test func whatIsAskedWhileTheServerIsAwayIsDoneWhenItIsBack() async throws {
        let (session, control) = try await room.playing(media.url("/tone.wav"))
        server.freeze()
        try session.perform(.setVolume(0.2))
        server.kill()
        await eventually("the loss") { control.isBuffering }
        try session.perform(.setVolume(0.3))
        try session.perform(.setVolume(0.4))
        #expect(abs(control.volume - 0.4) < 0.001)
        try await server.start()
        try await eventually("our level at the server") { try await server.mpc("volume").contains("40%") }
    }

    @Test func givesUpWhereThePasswordIsNotAcceptedAnyMore() async throws {
        let permitted = MPDPermissions.playback.map { "command: \($0)\n" }.joined() + "OK\n"
        let answers: @Sendable (String) -> String? = { line in
            switch line {
            case "password \"old\"", "noidle": "OK\n"
            case "commands": permitted
            case "command_list_end": "state: stop\nlist_OK\nlist_OK\nOK\n"
            default: nil
            }
        }
        let scripted = try await ScriptedServer(.answers(answers))
        let device = try #require(
            MediaOutputDevice(
                id: UUID(), displayName: "Den", capabilities: .urlPlayback,
                requiredNetworkEndpoints: [scripted.endpoint]))
        room.system.setCredential(Data("old".utf8), for: device)
        let session = room.system.activate(device)
        try await session.activated()
        await scripted.replace(
            .answers { $0.hasPrefix("password") ? "ACK [3@0] {password} incorrect password\n" : nil })
        try await room.system.report("giving up") {
            if case .activationFailed(device.id, _, let error) = $0 {
                error.code == "authorization-failed"
            } else {
                false
            }
        }
        await scripted.stop()
    }
}
