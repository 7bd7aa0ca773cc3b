import HostInterface
import LinkProtocol
import ManualTime
import Synchronization
import Testing

@testable import HostCore

/// The information that devices get about the sound of their sinks.
@Suite(.timeLimit(.minutes(1)))
struct SinkMediaTests {
    private static let id = SoundSinksTests.id
    private static let output = "mdhost." + id
    /// A browser, which plays by a process that it started.
    private static let browser = MediaPlayer(processID: 7, isPlaying: true, title: "Aria", artist: "Somebody")
    private static let ancestry = ProcessAncestry { [71: 7, 7: 2, 2: 1, 8: 2][$0] }

    private struct World {
        let world: SoundWorld
        let streams: ScriptedStreams
        let players = ScriptedPlayers()
        let clock = ManualClock()
        let media: SinkMedia
        let running: Task<Void, Never>

        /// - Parameter takesSamples: `false` for an extension whose device reads the sound from a URL.
        init(takesSamples: Bool = true) async throws {
            let server = ScriptedSoundServer()
            let streams = ScriptedStreams(server)
            let made = Mutex<SinkMedia?>(nil)
            world = SoundWorld(
                ScriptedRunner(handlesRealtimeSamples: takesSamples, script: SoundSinksTests.willing), server: server
            ) { [players, clock] home in
                let media = SinkMedia(
                    host: home.host, streams: streams, players: players, parent: SinkMediaTests.ancestry.parent,
                    title: "Sound of home", clock: clock)
                made.withLock { $0 = media }
                return media
            }
            self.streams = streams
            let media = try #require(made.withLock { $0 })
            self.media = media
            running = Task { await media.run() }
            await world.home.discover(SoundSinksTests.speaker)
            _ = try await world.sinks.add(SinkMediaTests.id, latency: nil)
        }

        func play(_ process: Int32) async {
            streams.play(UInt32(process), process, to: SinkMediaTests.output)
            world.server.tell(.sound(id: SinkMediaTests.id))
            await world.until { await world.state() == .playing }
        }

        /// Waits while time passes, so that the next change is told.
        func until(_ condition: () async -> Bool) async {
            while await !condition() {
                clock.advance(by: .milliseconds(100))
                await Task.yield()
            }
        }

        /// The last information that the extension got.
        var told: MediaInformation? {
            world.home.runner.calls.compactMap {
                if case .updateMediaInformation(_, let media) = $0 { media } else { nil }
            }.last
        }

        func finish() async {
            media.close()
            running.cancel()
            await running.value
            #expect(!players.isFollowed && !streams.isFollowed)
            await world.finish()
        }
    }

    @Test(arguments: [true, false])
    func theDeviceIsToldWhatTheProgramShows(takesSamples: Bool) async throws {
        let world = try await World(takesSamples: takesSamples)
        world.players.set([Self.browser, MediaPlayer(processID: 8, isPlaying: true, title: "Elsewhere")])
        await world.play(71)
        await world.until { world.told?.title == "Aria" && world.told?.artist == "Somebody" }
        #expect(world.told?.isLiveSound == true)
        let session = try #require(await world.world.home.host.liveSessions.first)
        #expect(session.media.title == "Aria", "and so is everybody who looks")

        var next = Self.browser
        next.title = "Chorus"
        next.artist = nil
        next.artworkURL = "https://example.org/cover.jpg"
        world.players.set([next])
        await world.until { world.told?.title == "Chorus" }
        #expect(world.told?.artist == nil && world.told?.artworkURL == "https://example.org/cover.jpg")

        world.players.set([])
        await world.until { world.told?.title == "Sound of home" }
        #expect(world.told?.artworkURL == nil)
        await world.finish()
    }

    @Test func nobodyIsAskedWhileNothingPlays() async throws {
        let world = try await World()
        #expect(!world.players.isFollowed && !world.streams.isFollowed)
        world.players.set([Self.browser])
        await world.play(71)
        await world.until { world.players.isFollowed && world.streams.isFollowed }
        let session = try #require(await world.world.home.host.liveSessions.first)
        try await world.world.home.host.stop(session.id)
        await world.until { !world.players.isFollowed && !world.streams.isFollowed }
        await world.finish()
    }

    @Test func onlyTheProgramsOwnPlayerCounts() {
        func player(_ process: Int32, _ players: [MediaPlayer]) -> MediaPlayer? {
            MediaPlayer.playing(
                to: "sink", [ProgramStream(id: 1, output: "sink", processID: process)], players, Self.ancestry)
        }
        #expect(player(71, [Self.browser]) == Self.browser)
        #expect(player(8, [Self.browser]) == nil, "another program")
        #expect(player(99, [Self.browser]) == nil, "it exited")
        var paused = Self.browser
        paused.isPlaying = false
        #expect(player(7, [paused]) == paused, "it hasn't said yet that it plays")
        paused.title = "Other"
        #expect(player(7, [paused, Self.browser]) == Self.browser)
        var second = Self.browser
        second.title = "Second"
        #expect(player(7, [second, Self.browser]) == nil, "nobody knows which is heard")
        #expect(
            MediaPlayer.playing(
                to: "sink", [ProgramStream(id: 1, output: "other", processID: 7)], [Self.browser], Self.ancestry)
                == nil)
    }
}

private final class ScriptedPlayers: MediaPlayerPort {
    let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation
    private let state = Mutex<(players: [MediaPlayer], isFollowed: Bool)>(([], false))

    init() { (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    var isFollowed: Bool { state.withLock { $0.isFollowed } }

    func set(_ players: [MediaPlayer]) {
        state.withLock { $0.players = players }
        change.yield()
    }

    func follow(_ isFollowed: Bool) async { state.withLock { $0.isFollowed = isFollowed } }
    func players() async -> [MediaPlayer] { state.withLock { $0.isFollowed ? $0.players : [] } }
}
