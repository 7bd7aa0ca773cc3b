import DeviceConnections
import MPDProtocol
import NIOCore
import PlaybackKit
import Testing

@testable import MPDExtension

@Suite(.timeLimit(.minutes(1)))
struct MPDLinkTests {
    // Only the tested time limit is short: the others must not fail on a busy machine.
    static let hastyGreeting = MPDTimeouts(connecting: .seconds(5), greeting: .seconds(1), answer: .seconds(20))
    static let hastyAnswer = MPDTimeouts(connecting: .seconds(5), greeting: .seconds(20), answer: .milliseconds(500))

    static func open(
        _ server: ScriptedServer, _ timeouts: MPDTimeouts = MPDTimeouts(), password: String? = nil
    ) async throws(MPDError) -> MPDLink {
        try await MPDLink.open([server.endpoint], password: password, timeouts: timeouts)
    }

    static func answer(_ line: String) -> String? {
        switch line {
        case "noidle", "ping", "password \"sesame\"": "OK\n"
        case "commands": MPDPermissions.playback.map { "command: \($0)\n" }.joined() + "OK\n"
        case "status": "state: stop\nOK\n"
        default: line.hasPrefix("idle") ? nil : "ACK [5@0] {} unknown command\n"
        }
    }

    static func failure(_ body: () async throws(MPDError) -> MPDLink) async throws -> MPDError {
        do throws(MPDError) {
            await (try await body()).close()
        } catch {
            return error
        }
        throw Opened()
    }

    struct Opened: Error {}

    @Test(arguments: [false, true])
    func answersManyRequestsAtOnceInOrder(isSlow: Bool) async throws {
        let server = try await ScriptedServer(isSlow ? .drips(Self.answer) : .answers(Self.answer))
        let link = try await Self.open(server)
        #expect(link.version == MPDVersion(0, 23, 5) && link.permissions.allowsPlayback && link.serverStart == nil)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<30 {
                group.addTask {
                    let status = try await link.perform([MPDCommand("status")]).first
                    #expect(status["state"] == "stop")
                }
                group.addTask {
                    await #expect(throws: MPDError.self) { try await link.perform([MPDCommand("nonsense")]) }
                }
            }
            try await group.waitForAll()
        }
        await link.close()
        await server.stop()
    }

    @Test func refusesGarbageInsteadOfAGreeting() async throws {
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
        let server = try await ScriptedServer(.says(bytes))
        let error = try await Self.failure { () throws(MPDError) in try await Self.open(server) }
        #expect(error.sentence.contains("it isn't an MPD server"))
        await server.stop()
    }

    @Test func failsPendingRequestsOnGarbageInsteadOfAnAnswer() async throws {
        let server = try await ScriptedServer(.answers { $0 == "status" ? "\u{1}\u{2}\u{3}\n" : Self.answer($0) })
        let link = try await Self.open(server)
        await #expect(throws: MPDError.transport(.malformed("“···”"))) {
            try await link.perform([MPDCommand("status")])
        }
        for await _ in link.notifications {}
        await server.stop()
    }

    @Test func givesUpOnAServerThatNeverGreets() async throws {
        let server = try await ScriptedServer(.says([]))
        let error = try await Self.failure { () throws(MPDError) in try await Self.open(server, Self.hastyGreeting) }
        #expect(error == .transport(.timedOut("waiting for its greeting")))
        await server.stop()
    }

    @Test func givesUpOnAServerThatNeverAnswers() async throws {
        let server = try await ScriptedServer(.answers { $0 == "status" ? nil : Self.answer($0) })
        let link = try await Self.open(server, Self.hastyAnswer)
        await #expect(throws: MPDError.transport(.timedOut("no answer to a command"))) {
            try await link.perform([MPDCommand("status")])
        }
        await server.stop()
    }

    @Test func idlesLongerThanAnAnswerMayTake() async throws {
        let server = try await ScriptedServer(
            .answersAndLater(Self.answer, "changed: player\nOK\n", after: .milliseconds(1500)))
        let link = try await Self.open(server, Self.hastyAnswer)
        var changes = link.notifications.makeAsyncIterator()
        // An armed timer would have closed it, which ends the sequence without an element.
        #expect(await changes.next() == .changed([.player]))
        await link.close()
        await server.stop()
    }

    @Test func triesAddressesInOrder() async throws {
        let silent = try await ScriptedServer(.says([]))
        let garbled = try await ScriptedServer(.says(Array("220 mail\n".utf8)))
        let good = try await ScriptedServer(.answers(Self.answer))
        let closed = try await ScriptedServer(.says([]))
        let nobody = closed.endpoint
        await closed.stop()
        let link = try await MPDLink.open(
            [nobody, silent.endpoint, garbled.endpoint, good.endpoint], password: nil, timeouts: Self.hastyGreeting)
        #expect(try await link.perform([MPDCommand("status")]).first["state"] == "stop")
        await link.close()

        let error = try await Self.failure { () throws(MPDError) in
            try await MPDLink.open([garbled.endpoint, nobody], password: nil, timeouts: Self.hastyGreeting)
        }
        #expect(error == .transport(.unreachable("Connection refused")))
        let none = try await Self.failure { () throws(MPDError) in
            try await MPDLink.open([], password: nil, timeouts: MPDTimeouts())
        }
        #expect(none == .transport(.unreachable("it has no address")))
        for server in [silent, garbled, good] { await server.stop() }
    }

    @Test func provesItselfByThePassword() async throws {
        let server = try await ScriptedServer(
            .answers { line in
                line.hasPrefix("password") && line != "password \"sesame\""
                    ? "ACK [3@0] {password} incorrect password\n" : Self.answer(line)
            })
        await (try await Self.open(server, password: "sesame")).close()
        let wrong = try await Self.failure { () throws(MPDError) in try await Self.open(server, password: "x") }
        #expect(wrong.sentence == "MPD says: Incorrect password.")
        let unwritable = try await Self.failure { () throws(MPDError) in try await Self.open(server, password: "a\nb") }
        #expect(unwritable == .invalidCommand("it contains a line break"))
        await server.stop()
    }

    @Test func toldOfFewerCommandsItLacksPermission() async throws {
        let server = try await ScriptedServer(
            .answers { $0 == "commands" ? "command: status\nOK\n" : Self.answer($0) })
        let error = try await Self.failure { () throws(MPDError) in try await Self.open(server) }
        guard case .refused(let refusal) = error else { throw error }
        #expect(refusal.code == .permission && refusal.command == "currentsong")
        await server.stop()
    }

    @Test func failsWhatWaitsWhenItIsClosed() async throws {
        let server = try await ScriptedServer(.answers { $0 == "status" ? nil : Self.answer($0) })
        let link = try await Self.open(server)
        let answer = Task { try await link.perform([MPDCommand("status")]) }
        // In either order of the two: the request fails as pending, or because the connection isn't ready any more.
        await link.close()
        await #expect(throws: MPDError.self) { try await answer.value }
        await server.stop()
    }
}
