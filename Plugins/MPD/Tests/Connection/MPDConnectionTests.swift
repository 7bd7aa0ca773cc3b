import MPDProtocol
import NIOCore
import Testing

@testable import MPDExtension

@Suite(.timeLimit(.minutes(1)))
struct MPDConnectionTests {
    // Only what a test is about is short: the rest must not fail on a busy machine.
    static let hastyGreeting = MPDTimeouts(connecting: .seconds(5), greeting: .seconds(1), answer: .seconds(20))
    static let hastyAnswer = MPDTimeouts(connecting: .seconds(5), greeting: .seconds(20), answer: .milliseconds(200))

    static func connection(_ timeouts: MPDTimeouts = MPDTimeouts(), password: String? = nil) -> MPDConnection {
        MPDConnection(eventLoop: MPDConnection.transport.next(), password: password, timeouts: timeouts)
    }

    static func answer(_ line: String) -> String? {
        switch line {
        case "noidle": "OK\n"
        case "ping": "OK\n"
        case "status": "state: stop\nOK\n"
        default: line.hasPrefix("idle") ? nil : "ACK [5@0] {} unknown command\n"
        }
    }

    @Test(arguments: [false, true])
    func answersManyRequestsAtOnceInOrder(isSlow: Bool) async throws {
        let server = try await ScriptedServer(isSlow ? .drips(Self.answer) : .answers(Self.answer))
        let connection = Self.connection()
        #expect(try await connection.open(server.address) == MPDVersion(0, 23, 5))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    let status = try await connection.perform(MPDCommand("status"))
                    #expect(status["state"] == "stop")
                }
                group.addTask {
                    await #expect(throws: MPDError.self) { try await connection.perform(MPDCommand("nonsense")) }
                }
            }
            try await group.waitForAll()
        }
        await connection.close()
        await server.stop()
    }

    @Test func refusesGarbageInsteadOfAGreeting() async throws {
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
        let server = try await ScriptedServer(.says(bytes))
        let connection = Self.connection()
        let error = await #expect(throws: MPDError.self) { try await connection.open(server.address) }
        guard case .notMPD = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        await server.stop()
    }

    @Test func failsPendingRequestsOnGarbageInsteadOfAnAnswer() async throws {
        let server = try await ScriptedServer(
            .answers { $0 == "status" ? "\u{1}\u{2}\u{3}\n" : $0 == "noidle" ? "OK\n" : nil })
        let connection = Self.connection()
        _ = try await connection.open(server.address)
        let error = await #expect(throws: MPDError.self) { try await connection.perform(MPDCommand("status")) }
        #expect(error == .malformed("···"))
        for await _ in connection.changes {}
        await server.stop()
    }

    @Test func givesUpOnAServerThatNeverGreets() async throws {
        let server = try await ScriptedServer(.says([]))
        let connection = Self.connection(Self.hastyGreeting)
        await #expect(throws: MPDError.timedOut("waiting for its greeting")) {
            try await connection.open(server.address)
        }
        await server.stop()
    }

    @Test func givesUpOnAServerThatNeverAnswers() async throws {
        let server = try await ScriptedServer(.answers { _ in nil })
        let connection = Self.connection(Self.hastyAnswer)
        _ = try await connection.open(server.address)
        await #expect(throws: MPDError.timedOut("waiting for its answer")) {
            try await connection.perform(MPDCommand("status"))
        }
        await server.stop()
    }

    @Test func idlesLongerThanAnAnswerMayTake() async throws {
        let server = try await ScriptedServer(.greetsAndLater("changed: player\nOK\n", after: .milliseconds(500)))
        let connection = Self.connection(Self.hastyAnswer)
        _ = try await connection.open(server.address)
        var changes = connection.changes.makeAsyncIterator()
        // An armed timer would have closed it, which ends the sequence without an element.
        #expect(await changes.next() != nil)
        await connection.close()
        await server.stop()
    }

    @Test func noticesThatTheServerCloses() async throws {
        let server = try await ScriptedServer(.saysAndCloses(Array("OK MPD 0.23.5\n".utf8)))
        let connection = Self.connection()
        _ = try await connection.open(server.address)
        for await _ in connection.changes {}
        await #expect(throws: MPDError.self) { try await connection.perform(MPDCommand("status")) }
        await server.stop()
    }

    @Test func triesAddressesInOrder() async throws {
        let silent = try await ScriptedServer(.says([]))
        let garbled = try await ScriptedServer(.says(Array("220 mail\n".utf8)))
        let good = try await ScriptedServer(.answers(Self.answer))
        let closed = try await ScriptedServer(.says([]))
        let nobody = closed.address
        await closed.stop()
        let (connection, _) = try await MPDConnection.open(
            anyOf: [nobody, silent.address, garbled.address, good.address], password: nil, timeouts: Self.hastyGreeting)
        #expect(try await connection.perform(MPDCommand("status"))["state"] == "stop")
        await connection.close()

        let error = await #expect(throws: MPDError.self) {
            try await MPDConnection.open(anyOf: [garbled.address, nobody], password: nil, timeouts: Self.hastyGreeting)
        }
        #expect(error == .unreachable("Connection refused"))
        await #expect(throws: MPDError.unreachable("it has no address")) {
            try await MPDConnection.open(anyOf: [], password: nil)
        }
        for server in [silent, garbled, good] { await server.stop() }
    }

    @Test func stopsAtTheFirstAddressThatRefusesThePassword() async throws {
        let server = try await ScriptedServer(.answers { _ in "ACK [3@0] {password} incorrect password\n" })
        let error = await #expect(throws: MPDError.self) {
            try await MPDConnection.open(
                anyOf: [server.address, MPDAddress(host: "127.0.0.1", port: 1)], password: "x")
        }
        guard case .refused(let refusal) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.code == .password)
        await server.stop()
    }

    @Test func failsWhatWaitsWhenItIsClosed() async throws {
        let server = try await ScriptedServer(.answers { _ in nil })
        let connection = Self.connection()
        _ = try await connection.open(server.address)
        let answer = Task { try await connection.perform(MPDCommand("status")) }
        // In either order of the two: the request fails as pending, or as not ready any more.
        await connection.close()
        await #expect(throws: MPDError.self) { try await answer.value }
        await server.stop()
    }
}
