import Glibc
import Testing

@testable import Reachability

/// Real sockets on loopback.
@Suite(.timeLimit(.minutes(1)))
struct EndpointProberTests {
    @Test func somebodyWhoListensAnswers() async throws {
        let listener = try LoopbackSocket(listening: true)
        let prober = try EndpointProber()
        let answer = await prober.ask([listener.endpoint], .connection, within: .seconds(20))
        #expect(answer == .answered([]))
    }

    @Test func aClosedPortRefuses() async throws {
        // Bound and not listening: no other program can take the port meanwhile.
        let bound = try LoopbackSocket(listening: false)
        let prober = try EndpointProber()
        #expect(await prober.ask([bound.endpoint], .connection, within: .seconds(20)) == .refused)
    }

    @Test func oneOfSeveralAddressesIsEnough() async throws {
        let listener = try LoopbackSocket(listening: true)
        let bound = try LoopbackSocket(listening: false)
        let prober = try EndpointProber()
        let answer = await prober.ask([bound.endpoint, listener.endpoint], .connection, within: .seconds(20))
        #expect(answer == .answered([]))
    }

    /// A datagram socket that never answers: silence lasts until the limit, and no longer.
    @Test func silenceEndsAtTheLimit() async throws {
        let silent = try LoopbackSocket(listening: false, kind: SOCK_DGRAM)
        let prober = try EndpointProber()
        let question = ProbeQuestion.datagram([1]) { _ in true }
        let begun = ContinuousClock.now
        #expect(await prober.ask([silent.endpoint], question, within: .milliseconds(50)) == .silent)
        #expect(ContinuousClock.now - begun >= .milliseconds(50))
        #expect(await prober.ask([], .connection, within: .seconds(20)) == .silent, "nothing to ask")
    }

    @Test func onlyTheRightDatagramIsAnAnswer() async throws {
        let echo = try LoopbackSocket(listening: false, kind: SOCK_DGRAM)
        let prober = try EndpointProber()
        async let answer = prober.ask(
            [echo.endpoint], .datagram(Array("hello".utf8)) { $0 == [7] }, within: .seconds(20))
        let question = echo.answer([[1, 2], [7]])
        #expect(question == Array("hello".utf8))
        #expect(await answer == .answered([7]))
    }

    @Test func manyQuestionsAtOnceAreAllAnswered() async throws {
        let listener = try LoopbackSocket(listening: true)
        let prober = try EndpointProber()
        let answers = await withTaskGroup { group in
            for _ in 0..<200 {
                group.addTask { await prober.ask([listener.endpoint], .connection, within: .seconds(30)) }
            }
            return await group.reduce(into: [ProbeAnswer: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(answers == [.answered([]): 200])
    }

    private func connection(_ socket: LoopbackSocket, within limit: Duration) -> ProbeRequest {
        ProbeRequest(endpoints: [socket.endpoint], question: .connection, limit: limit)
    }

    @Test func answersGatherAndAreReadTogether() async throws {
        let listener = try LoopbackSocket(listening: true)
        let bound = try LoopbackSocket(listening: false)
        let prober = try EndpointProber()
        let begun = ContinuousClock.now
        var batches: [[ProbeReply]] = []
        let requests = [listener, bound, listener].map { connection($0, within: .seconds(20)) }
        for await replies in prober.ask(requests, gathering: .milliseconds(30)) { batches.append(replies) }
        #expect(ContinuousClock.now - begun >= .milliseconds(30))
        #expect(
            batches == [
                [
                    ProbeReply(index: 0, answer: .answered([])), ProbeReply(index: 1, answer: .refused),
                    ProbeReply(index: 2, answer: .answered([])),
                ]
            ])
    }

    /// The reader must not wait for the slowest, and learns at the end of the gathering that there is nothing yet.
    @Test func theSilentFollowLater() async throws {
        let listener = try LoopbackSocket(listening: true)
        let silent = try LoopbackSocket(listening: false, kind: SOCK_DGRAM)
        let mute = ProbeRequest(
            endpoints: [silent.endpoint], question: .datagram([1]) { _ in true }, limit: .seconds(2))
        let prober = try EndpointProber()
        var batches: [[ProbeReply]] = []
        for await replies in prober.ask(
            [mute, connection(listener, within: .seconds(20))], gathering: .milliseconds(10))
        {
            batches.append(replies)
        }
        #expect(
            batches == [[ProbeReply(index: 1, answer: .answered([]))], [ProbeReply(index: 0, answer: .silent)]])
        batches = []
        for await replies in prober.ask([mute], gathering: .milliseconds(10)) { batches.append(replies) }
        #expect(batches == [[], [ProbeReply(index: 0, answer: .silent)]])
    }

    /// A batch that gathers delays no other question.
    @Test func othersAreAnsweredWhileABatchGathers() async throws {
        let listener = try LoopbackSocket(listening: true)
        let prober = try EndpointProber()
        var batch = prober.ask([connection(listener, within: .seconds(30))], gathering: .seconds(6)).makeAsyncIterator()
        let begun = ContinuousClock.now
        #expect(await prober.ask([listener.endpoint], .connection, within: .seconds(30)) == .answered([]))
        #expect(ContinuousClock.now - begun < .seconds(6))
        #expect(await batch.next() == [ProbeReply(index: 0, answer: .answered([]))])
        #expect(await batch.next() == nil)
    }

    @Test func aProberThatEndsAnswersTheRest() async throws {
        let silent = try LoopbackSocket(listening: false, kind: SOCK_DGRAM)
        let mute = ProbeRequest(
            endpoints: [silent.endpoint], question: .datagram([1]) { _ in true }, limit: .seconds(50))
        var prober: EndpointProber? = try EndpointProber()
        let stream = prober?.ask([mute], gathering: .seconds(50))
        prober = nil
        var batches: [[ProbeReply]] = []
        for await replies in try #require(stream) { batches.append(replies) }
        #expect(batches == [[ProbeReply(index: 0, answer: .impossible)]])
    }

    @Test func addressesAreNumericWithTheirScope() {
        #expect(NumericEndpoint(address: "10.0.0.5", port: 80) != nil)
        #expect(NumericEndpoint(address: "fe80::1%lo", port: 80) != nil)
        #expect(NumericEndpoint(address: "fe80::1%nowhere0", port: 80) == nil)
        for (address, port) in [("host.local", 80), ("", 80), ("10.0.0.5", 0), ("10.0.0.5", 65_536)] {
            #expect(NumericEndpoint(address: address, port: port) == nil)
        }
    }
}

/// A socket on 127.0.0.1.
final class LoopbackSocket: Sendable {
    struct Failure: Error {}
    let endpoint: NumericEndpoint
    private let descriptor: Int32

    init(listening: Bool, kind: __socket_type = SOCK_STREAM) throws {
        let descriptor = socket(AF_INET, Int32(kind.rawValue | SOCK_CLOEXEC.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound, !listening || listen(descriptor, 512) == 0,
            let endpoint = NumericEndpoint(address: "127.0.0.1", port: Int(UInt16(bigEndian: address.sin_port)))
        else { throw Failure() }
        self.endpoint = endpoint
    }

    deinit { close(descriptor) }

    /// Waits for a datagram, answers with these, and returns it.
    func answer(_ datagrams: [[UInt8]]) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 100)
        var sender = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &sender) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                let count = recvfrom(descriptor, &buffer, buffer.count, 0, raw, &length)
                for datagram in datagrams { sendto(descriptor, datagram, datagram.count, 0, raw, length) }
                return Array(buffer[..<max(0, count)])
            }
        }
    }
}
