import MPDProtocol
import MediaDevice
import Testing

@testable import MPDExtension

/// Playback on a real server, with `mpc` as the independent witness and as the other person in the room.
@Suite(.serialized, .timeLimit(.minutes(1)), .enabled(if: Requirements.hasBoth, Comment(rawValue: Requirements.reason)))
@MainActor
final class MPDPlaybackSessionTests {
    private let server: MPDServer
    private let media: MediaServer
    private let player: MPDPlayer
    private var reports: [String] = []
    private var errors: [MediaDeviceError] = []
    private var session: MPDPlaybackSession?

    init() async throws {
        server = try await MPDServer()
        media = try await MediaServer()
        player = MPDPlayerTests.player(server)
    }

    deinit { server.stop() }

    private func play(
        _ address: String, _ information: MediaOutputSession.MediaInformation? = nil
    ) async throws -> MPDPlaybackSession {
        if !player.isConnected { try await player.connect(password: nil) }
        let session = MPDPlaybackSession(address: address, information: information, player: player)
        session.onReport = { [weak self] report in
            switch report {
            case .queued: break
            case .started: self?.reports.append("started")
            case .ended: self?.reports.append("ended")
            case .failed(let error):
                self?.reports.append("failed")
                self?.errors.append(error)
            }
        }
        player.onEvent = { [weak session] event in
            switch event {
            case .observed(let observation): session?.observe(observation)
            case .lost: session?.connectionLost()
            case .returned(let observation): session?.connectionReturned(observation)
            case .gone(let error): session?.connectionGone(error)
            case .volumeChanged: break
            }
        }
        self.session = session
        await session.start()
        return session
    }

    @Test func playsPausesSeeksAndStops() async throws {
        let address = media.url("/tone.wav")
        let session = try await play(address)
        let control = session.control
        await eventually("playing") { control.isReady && reports == ["started"] }
        #expect(control.isPlaying && !control.isBuffering)
        #expect(try await server.mpc("--format", "%file%", "current") == address + "\n")
        #expect(abs(control.timeRange.duration.seconds - 60) < 0.1)
        #expect(control.playbackPosition.rate == 1)
        #expect(control.supportedSeekCapabilities == .seek && !control.containsLiveStreamingContent)

        control.isPlaying = false
        #expect(!control.isPlaying)
        try await eventually("paused at the server") { try await server.mpc("status").contains("[paused]") }
        await eventually("a standing position") { control.playbackPosition.rate == 0 }

        control.seek(to: CMTime(seconds: 42, preferredTimescale: 1000), tolerance: .zero)
        try await eventually("seeked at the server") { try await server.mpc("status").contains("0:42/1:00") }
        await eventually("the new position") { abs(control.playbackPosition.position.seconds - 42) < 1 }
        #expect(!control.isPlaying)

        try await server.mpc("play")
        await eventually("resumed by somebody else") { control.isPlaying && control.playbackPosition.rate == 1 }

        control.volume = 0.25
        try await eventually("the level at the server") { try await server.mpc("volume").contains("25%") }
        try await server.mpc("volume", "60")
        await eventually("the level of somebody else") { control.volume == 0.6 }

        await session.stop()
        #expect(try await server.queue() == [])
        #expect(try await !server.mpc("status").contains("["))
        #expect(!control.isPlaying && control.error == nil)
        #expect(reports == ["started"])
    }

    @Test func leavesAPlayingQueueAsItWas() async throws {
        try await server.mpc("add", "one.wav", "two.wav")
        try await server.mpc("play", "1")
        let address = media.url("/tone.wav")
        let session = try await play(address)
        await eventually("playing") { reports == ["started"] }
        #expect(try await server.queue() == ["one.wav", address, "two.wav"])
        await session.stop()
        #expect(try await server.queue() == ["one.wav", "two.wav"])
        // Not the next song of the person's: somebody asked for silence.
        #expect(try await !server.mpc("status").contains("[playing]"))
    }

    @Test func letsAPlayingQueueCarryOnAfterItsEnd() async throws {
        try await server.mpc("add", "one.wav", "two.wav")
        try await server.mpc("play", "1")
        _ = try await play(media.url("/short.wav"))
        await eventually("the end") { reports == ["started", "ended"] }
        try await eventually("a clean queue") { try await server.queue() == ["one.wav", "two.wav"] }
        #expect(try await server.mpc("--format", "%file%", "current") == "two.wav\n")
        #expect(try await server.mpc("status").contains("[playing]"))
    }

    @Test func doesNotStartAQueueNobodyStarted() async throws {
        try await server.mpc("add", "one.wav", "two.wav")
        let address = media.url("/short.wav")
        let session = try await play(address)
        await eventually("the end") { reports == ["started", "ended"] }
        try await eventually("a clean queue") { try await server.queue() == ["one.wav", "two.wav"] }
        #expect(try await !server.mpc("status").contains("[playing]"))
        #expect(!session.control.isPlaying && session.control.playbackPosition.rate == 0)
    }

    @Test func endsWhenSomebodyPlaysSomethingElse() async throws {
        try await server.mpc("add", "one.wav")
        _ = try await play(media.url("/tone.wav"))
        await eventually("playing") { reports == ["started"] }
        try await server.mpc("play", "1")
        await eventually("the end") { reports == ["started", "ended"] }
        try await eventually("a clean queue") { try await server.queue() == ["one.wav"] }
        #expect(try await server.mpc("status").contains("[playing]"))
    }

    @Test(arguments: ["stop", "clear"])
    func endsWhenSomebodyEndsIt(command: String) async throws {
        _ = try await play(media.url("/tone.wav"))
        await eventually("playing") { reports == ["started"] }
        try await server.mpc(command)
        await eventually("the end") { reports == ["started", "ended"] }
        try await eventually("a clean queue") { try await server.queue() == [] }
    }

    @Test func endsWhereTheServerConsumesWhatItPlayed() async throws {
        try await server.mpc("consume", "on")
        _ = try await play(media.url("/short.wav"))
        await eventually("the end") { reports == ["started", "ended"] }
        #expect(try await server.queue() == [])
    }

    @Test(arguments: [
        ("/missing.wav", MediaDeviceError.Detail.unreachableURL), ("/text.txt", .unsupportedFormat),
    ])
    func failsWithTheServersReason(path: String, detail: MediaDeviceError.Detail) async throws {
        try await server.mpc("add", "one.wav")
        let session = try await play(media.url(path))
        await eventually("the failure") { reports == ["failed"] }
        #expect(errors.first?.code == .sessionFailed && errors.first?.detail == detail)
        #expect(errors.first?.reason?.contains("Failed to decode") == true)
        #expect(session.control.error != nil)
        try await eventually("a clean queue") { try await server.queue() == ["one.wav"] }
    }

    @Test func failsForASchemeTheServerDoesNotKnow() async throws {
        _ = try await play("gopherish://10.0.0.1/a")
        await eventually("the failure") { reports == ["failed"] }
        #expect(errors.first?.detail == .unsupportedFormat)
        #expect(try await server.queue() == [])
    }

    @Test func failsForAnAddressThatCannotBeSent() async throws {
        _ = try await play("http://127.0.0.1/a\nclear")
        await eventually("the failure") { reports == ["failed"] }
        #expect(errors.first?.detail == .notSupported)
    }

    @Test func isNotMisledByTheErrorOfAnEarlierSong() async throws {
        _ = try await play(media.url("/missing.wav"))
        await eventually("the failure") { reports == ["failed"] }
        reports = []
        _ = try await play(media.url("/tone.wav"))
        await eventually("playing") { reports == ["started"] }
    }

    @Test func tellsTheServerWhatItPlaysAndBeginsWhereAsked() async throws {
        let information = MediaOutputSession.MediaInformation(title: "A title", artist: "An artist", startPosition: 20)
        let session = try await play(media.url("/tone.wav"), information)
        await eventually("playing") { reports == ["started"] }
        #expect(session.control.metadata.title == "A title" && session.control.metadata.subtitle == "An artist")
        #expect(try await server.mpc("--format", "%artist%/%title%", "current") == "An artist/A title\n")
        await eventually("the position") { session.control.playbackPosition.position.seconds >= 19 }
        await session.stop()
    }

    @Test func leavesNothingWhenStoppedBeforeItStarts() async throws {
        try await player.connect(password: nil)
        let session = MPDPlaybackSession(address: media.url("/tone.wav"), information: nil, player: player)
        let start = Task { await session.start() }
        await session.stop()
        await start.value
        #expect(try await server.queue() == [])
        #expect(try await !server.mpc("status").contains("[playing]"))
    }

    @Test func takesTheSongUpAgainAfterARestartOfTheServer() async throws {
        try await server.mpc("add", "one.wav")
        let address = media.url("/tone.wav")
        let session = try await play(address)
        await eventually("playing") { reports == ["started"] }
        server.terminate()
        await eventually("buffering") { session.control.isBuffering && session.control.playbackPosition.rate == 0 }
        try await server.start()
        await eventually("playing again") { !session.control.isBuffering && session.control.playbackPosition.rate == 1 }
        session.control.isPlaying = false
        try await eventually("paused at the server") { try await server.mpc("status").contains("[paused]") }
        await session.stop()
        #expect(try await server.queue() == ["one.wav"])
        #expect(reports == ["started"])
    }

    @Test func endsWhenTheServerComesBackWithSomethingElse() async throws {
        try await server.mpc("add", "one.wav")
        let session = try await play(media.url("/tone.wav"))
        await eventually("playing") { reports == ["started"] }
        player.onEvent = { [weak session] in if case .lost = $0 { session?.connectionLost() } }
        server.terminate()
        await eventually("the loss") { session.control.isBuffering }
        let other = MPDPlayerTests.player(server)
        try await server.start()
        try await other.connect(password: nil)
        _ = try await other.perform([MPDCommand("clear"), MPDCommand("add", "one.wav"), MPDCommand("play")])
        let observation = MPDPlayer.Observation(
            status: try #require(other.status), song: MPDSong(try await other.query([MPDCommand("currentsong")]).first))
        session.connectionReturned(observation)
        #expect(reports == ["started", "ended"])
        #expect(try await server.queue() == ["one.wav"])
        await other.close()
    }
}
