import MPDProtocol
import Testing

@testable import MPDExtension

/// The player against a real server, with `mpc` as the independent witness.
@Suite(.serialized, .timeLimit(.minutes(1)), .enabled(if: Requirements.hasBoth, Comment(rawValue: Requirements.reason)))
@MainActor
struct MPDPlayerTests {
    static func player(_ server: MPDServer, timeouts: MPDTimeouts = MPDTimeouts()) -> MPDPlayer {
        MPDPlayer(addresses: [MPDAddress(host: "127.0.0.1", port: server.port)], timeouts: timeouts)
    }

    @Test func mayDoEverythingWithoutAPassword() async throws {
        let server = try await MPDServer()
        defer { server.stop() }
        let player = Self.player(server)
        try await player.connect(password: nil)
        #expect(player.isConnected)
        #expect(player.permissions.allowsPlayback)
        #expect(player.version >= MPDVersion(0, 19))
        #expect(player.status?.state == .stop)
        await player.close()
        #expect(!player.isConnected)
    }

    @Test func learnsThatAPasswordIsNeeded() async throws {
        let server = try await MPDServer(password: "sesame")
        defer { server.stop() }
        let locked = Self.player(server)
        try await locked.connect(password: nil)
        #expect(!locked.isConnected)
        #expect(locked.permissions.missingForPlayback.contains("playid"))

        let wrong = await #expect(throws: MPDError.self) { try await Self.player(server).connect(password: "open") }
        #expect(wrong?.sentence == "MPD says: Incorrect password.")

        let unlocked = Self.player(server)
        try await unlocked.connect(password: "sesame")
        #expect(unlocked.isConnected && unlocked.permissions.allowsPlayback)
        await unlocked.close()
    }

    @Test func tellsOtherPeoplesLevelsFromItsOwn() async throws {
        let server = try await MPDServer()
        defer { server.stop() }
        let player = Self.player(server)
        var changes = 0
        player.onEvent = { if $0 == .volumeChanged { changes += 1 } }
        try await player.connect(password: nil)

        try await server.mpc("volume", "40")
        await eventually("the level of somebody else") { player.volume == 0.4 && changes == 1 }

        for level in stride(from: Float(0.5), through: 0.7, by: 0.01) { player.setVolume(level) }
        player.setVolume(0.71)
        #expect(player.volume == 0.71)
        try await eventually("our level at the server") { try await server.mpc("volume").contains("71%") }
        player.setVolume(2)
        try await eventually("a clamped level at the server") { try await server.mpc("volume").contains("100%") }

        // Comes after the events of our own levels, so that those were seen and not told.
        try await server.mpc("volume", "10")
        await eventually("the level of somebody else") { player.volume == 0.1 }
        #expect(changes == 2)
        await player.close()
    }

    @Test func readsBinaryDataInChunks() async throws {
        let server = try await MPDServer()
        defer { server.stop() }
        let player = Self.player(server)
        try await player.connect(password: nil)
        var bytes: [UInt8] = []
        repeat {
            let part = try await player.query([MPDCommand("albumart", "one.wav", String(bytes.count))]).first
            #expect(part["size"] == String(MPDServer.cover.count))
            bytes += try #require(part.binary)
        } while bytes.count < MPDServer.cover.count
        #expect(bytes == MPDServer.cover)
        await player.close()
    }

    @Test func hasNoLevelWithoutAMixer() async throws {
        let server = try await MPDServer(hasMixer: false)
        defer { server.stop() }
        let player = Self.player(server)
        try await player.connect(password: nil)
        #expect(player.volume == nil)
        player.setVolume(0.5)
        #expect(player.volume == nil)
        await player.close()
    }

    @Test func comesBackAfterARestart() async throws {
        let server = try await MPDServer()
        defer { server.stop() }
        let player = Self.player(server)
        var events: [String] = []
        player.onEvent = { event in
            switch event {
            case .lost: events.append("lost")
            case .returned: events.append("returned")
            default: break
            }
        }
        try await player.connect(password: nil)
        server.terminate()
        await eventually("the loss") { events == ["lost"] }
        #expect(!player.isConnected)
        await #expect(throws: MPDError.self) { try await player.perform([MPDCommand("stop")]) }
        try await server.start()
        await eventually("the return") { events == ["lost", "returned"] }
        _ = try await player.perform([MPDCommand("stop")])
        await player.close()
    }

    @Test func whatIsAskedWhileTheServerIsAwayIsDoneWhenItIsBack() async throws {
        let server = try await MPDServer()
        defer { server.stop() }
        let player = Self.player(server)
        try await player.connect(password: nil)
        // Cut off without a word, as by a cable.
        server.freeze()
        player.setVolume(0.2)
        server.kill()
        await eventually("the loss") { !player.isConnected }
        player.setVolume(0.3)
        player.setVolume(0.4)
        player.enqueue(MPDCommand("pause", "1"))
        player.forget(["pause"])
        #expect(player.volume == 0.4)
        try await server.start()
        try await eventually("our level at the server") { try await server.mpc("volume").contains("40%") }
        await player.close()
    }

    /// The pause before the next attempt never ends by itself here.
    @Test func isBackAtOnceWhenTheServerIsSeenElsewhere() async throws {
        let before = try await MPDServer()
        defer { before.stop() }
        let after = try await MPDServer()
        defer { after.stop() }
        let player = MPDPlayer(
            addresses: [MPDAddress(host: "127.0.0.1", port: before.port)], clock: StoppedClock())
        try await player.connect(password: nil)
        before.terminate()
        await eventually("the loss") { !player.isConnected }
        player.seen(at: [])
        #expect(player.addresses.map(\.port) == [before.port])
        await eventually("the return") {
            player.seen(at: [MPDAddress(host: "127.0.0.1", port: after.port)])
            return player.isConnected
        }
        _ = try await player.perform([MPDCommand("stop")])
        await player.close()
    }

    /// A clock on which nothing ever becomes due: who sleeps on it has to be woken.
    private struct StoppedClock: Clock {
        struct Instant: InstantProtocol {
            var offset = Swift.Duration.zero
            func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }
            func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
            static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
        }

        var now: Instant { Instant() }
        var minimumResolution: Swift.Duration { .zero }

        func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
            let (never, _) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            throw CancellationError()
        }
    }

    @Test func leavesAServerThatHangs() async throws {
        let server = try await MPDServer()
        defer { server.stop() }
        let player = Self.player(
            server, timeouts: MPDTimeouts(connecting: .seconds(5), greeting: .seconds(1), answer: .seconds(1)))
        var events: [MPDPlayer.Event] = []
        player.onEvent = { events.append($0) }
        try await player.connect(password: nil)
        server.freeze()
        await #expect(throws: MPDError.timedOut("waiting for its answer")) {
            try await player.perform([MPDCommand("stop")])
        }
        await eventually("the loss") { !player.isConnected }
        server.thaw()
        await eventually("the return") { player.isConnected }
        await player.close()
    }

    @Test func givesUpWhereThePasswordIsNotAcceptedAnyMore() async throws {
        let answers: @Sendable (String) -> String? = { line in
            switch line {
            case "password \"old\"": "OK\n"
            case "noidle": "OK\n"
            case "commands": MPDPermissions.playback.map { "command: \($0)\n" }.joined() + "OK\n"
            case "currentsong": "state: stop\nlist_OK\nlist_OK\nOK\n"
            default: nil
            }
        }
        let first = try await ScriptedServer(
            .answers { $0.hasPrefix("command_list") || $0 == "status" ? nil : answers($0) })
        let player = MPDPlayer(addresses: [first.address])
        var isGone = false
        player.onEvent = { if case .gone(.refused) = $0 { isGone = true } }
        try await player.connect(password: "old")
        await first.replace(.answers { $0.hasPrefix("password") ? "ACK [3@0] {password} incorrect password\n" : nil })
        await eventually("giving up") { isGone }
        await player.close()
        await first.stop()
    }
}
