import MPDProtocol
import MediaDevice
import Testing

@testable import MPDExtension

/// A second process of the extension takes up, on a real server, what the first one started.
@Suite(.serialized, .timeLimit(.minutes(1)), .enabled(if: Requirements.hasBoth, Comment(rawValue: Requirements.reason)))
@MainActor
final class MPDAdoptionTests {
    private let server: MPDServer
    private let media: MediaServer
    private let player: MPDPlayer
    private var reports: [String] = []
    private var song: Int?

    init() async throws {
        server = try await MPDServer()
        media = try await MediaServer()
        player = MPDPlayerTests.player(server)
        try await player.connect(password: nil)
    }

    deinit { server.stop() }

    /// What a process that was killed left playing, and the server's number for it.
    private func left(_ address: String) async throws -> Int {
        let reply = try await player.perform([MPDCommand("addid", address)])
        let id = try #require(reply.first["Id"].flatMap { Int($0) })
        _ = try await player.perform([MPDCommand("playid", String(id))])
        return id
    }

    private func session(_ address: String, startPosition: Double? = nil) -> MPDPlaybackSession {
        let session = MPDPlaybackSession(
            address: address, information: .init(title: "A title", startPosition: startPosition), player: player)
        session.onReport = { [weak self] report in
            switch report {
            case .queued(let song): self?.song = song
            case .started: self?.reports.append("started")
            case .ended: self?.reports.append("ended")
            case .failed: self?.reports.append("failed")
            }
        }
        player.onEvent = { [weak session] event in
            if case .observed(let observation) = event { session?.observe(observation) }
        }
        return session
    }

    @Test(arguments: [true, false])
    func takesUpTheSongThatPlays(_ isKnown: Bool) async throws {
        try await server.mpc("add", "one.wav")
        let address = media.url("/tone.wav")
        let id = try await left(address)
        try await server.mpc("seek", "0:20")
        let session = session(address, startPosition: 50)
        await session.adopt(song: isKnown ? id : nil)
        #expect(reports == ["started"] && song == id)
        await eventually("its state") { session.control.isReady && session.control.isPlaying }
        #expect((19..<40).contains(session.control.playbackPosition.position.seconds), "not from where it began")
        #expect(try await server.queue() == ["one.wav", address], "nothing is added")
        session.control.isPlaying = false
        try await eventually("paused at the server") { try await server.mpc("status").contains("[paused]") }
        await session.stop()
        #expect(try await server.queue() == ["one.wav"])
    }

    @Test func takesUpTheSongThatIsPaused() async throws {
        let address = media.url("/tone.wav")
        let id = try await left(address)
        try await server.mpc("pause")
        let session = session(address)
        await session.adopt(song: id)
        #expect(reports == ["started"])
        #expect(try await server.mpc("status").contains("[paused]"))
        await session.stop()
    }

    @Test func aSongThatIsOverIsTakenOutOfTheQueue() async throws {
        let address = media.url("/tone.wav")
        let id = try await left(address)
        try await server.mpc("add", "one.wav")
        try await server.mpc("play", "2")
        await session(address).adopt(song: id)
        #expect(reports == ["ended"])
        try await eventually("a clean queue") { try await server.queue() == ["one.wav"] }
        #expect(try await server.mpc("status").contains("[playing]"), "what somebody else chose plays on")
    }

    @Test func theSameAddressUnderAnotherNumberIsThePersonsOwn() async throws {
        let address = media.url("/tone.wav")
        let id = try await left(address)
        try await server.mpc("clear")
        try await server.mpc("add", address)
        try await server.mpc("play")
        let session = session(address)
        await session.adopt(song: id)
        #expect(reports == ["ended"])
        await session.stop()
        #expect(try await server.queue() == [address])
        #expect(try await server.mpc("status").contains("[playing]"))
    }

    @Test func aServerThatCannotBeAskedIsAFailure() async throws {
        await player.close()
        await session("http://127.0.0.1/x").adopt(song: 7)
        #expect(reports == ["failed"])
    }
}
