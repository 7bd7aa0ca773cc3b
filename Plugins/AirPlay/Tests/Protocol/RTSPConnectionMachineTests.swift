import AirPlayProtocol
import Testing

struct RTSPConnectionMachineTests {
    private static func machine(password: String? = nil) -> RTSPConnectionMachine {
        RTSPConnectionMachine(password: password, headers: ["User-Agent": "mdhost"], clientNonce: "c")
    }

    private static func sent(_ actions: [RTSPConnectionMachine.Action]) -> [String] {
        actions.compactMap { if case .send(let bytes) = $0 { String(decoding: bytes, as: UTF8.self) } else { nil } }
    }

    private static func completed(
        _ actions: [RTSPConnectionMachine.Action]
    ) -> [UInt64: Result<RTSPResponse, AirPlayError>] {
        var outcomes: [UInt64: Result<RTSPResponse, AirPlayError>] = [:]
        for case .complete(let id, let outcome) in actions { outcomes[id] = outcome }
        return outcomes
    }

    private static func ok(_ number: Int) -> [UInt8] { Array("RTSP/1.0 200 OK\r\nCSeq: \(number)\r\n\r\n".utf8) }

    private static let unauthorized =
        "RTSP/1.0 401 Unauthorized\r\nCSeq: %\r\nWWW-Authenticate: Digest realm=\"raop\", nonce=\"n\"\r\n\r\n"

    private static func challenge(_ number: Int) -> [UInt8] {
        Array(unauthorized.split(separator: "%").joined(separator: String(number)).utf8)
    }

    @Test func sendsOneRequestAtATime() {
        var machine = Self.machine()
        let first = machine.submit(1, RTSPRequest("OPTIONS", "*"))
        #expect(Self.sent(first) == ["OPTIONS * RTSP/1.0\r\nCSeq: 1\r\nUser-Agent: mdhost\r\n\r\n"])
        #expect(Self.sent(machine.submit(2, RTSPRequest("RECORD", "rtsp://a/1"))).isEmpty)
        let answered = machine.received(Self.ok(1))
        #expect(Self.sent(answered).first?.hasPrefix("RECORD rtsp://a/1 RTSP/1.0\r\nCSeq: 2\r\n") == true)
        #expect(Self.completed(answered).keys.sorted() == [1])
        #expect(Self.completed(machine.received(Self.ok(2))).keys.sorted() == [2])
    }

    @Test func whatIsToldIsToldFromThenOn() {
        var machine = Self.machine()
        _ = machine.submit(1, RTSPRequest("OPTIONS", "*"))
        machine.append(["DACP-ID": "8", "User-Agent": "other"])
        _ = machine.submit(2, RTSPRequest("RECORD", "rtsp://a/1", headers: ["DACP-ID": "9"]))
        let second = Self.sent(machine.received(Self.ok(1)))
        #expect(second == ["RECORD rtsp://a/1 RTSP/1.0\r\nCSeq: 2\r\nUser-Agent: other\r\nDACP-ID: 9\r\n\r\n"])
        _ = machine.received(Self.ok(2))
        #expect(Self.sent(machine.submit(3, RTSPRequest("FLUSH", "rtsp://a/1")))[0].contains("\r\nDACP-ID: 8\r\n"))
    }

    @Test func provesThePasswordOnceAskedAndFromThenOn() {
        var machine = Self.machine(password: "secret")
        #expect(!Self.sent(machine.submit(1, RTSPRequest("OPTIONS", "*")))[0].contains("Authorization"))
        let again = Self.sent(machine.received(Self.challenge(1)))
        #expect(again.first?.contains("Authorization: Digest username=\"iTunes\", realm=\"raop\"") == true)
        #expect(Self.completed(machine.received(Self.ok(2))).count == 1)
        #expect(Self.sent(machine.submit(2, RTSPRequest("ANNOUNCE", "rtsp://a/1")))[0].contains("Authorization"))
    }

    @Test func aWrongPasswordIsTriedOnce() {
        var machine = Self.machine(password: "wrong")
        _ = machine.submit(1, RTSPRequest("OPTIONS", "*"))
        _ = machine.received(Self.challenge(1))
        let refused = machine.received(Self.challenge(2))
        #expect(Self.sent(refused).isEmpty)
        #expect(Self.completed(refused)[1] == .failure(.wrongPassword(given: true)))
        #expect(!machine.isClosed)
    }

    @Test func noPasswordIsToldFromAWrongOne() {
        var machine = Self.machine()
        _ = machine.submit(1, RTSPRequest("OPTIONS", "*"))
        #expect(Self.completed(machine.received(Self.challenge(1)))[1] == .failure(.wrongPassword(given: false)))
    }

    @Test func theEndFailsWhatWaits() {
        var machine = Self.machine()
        _ = machine.submit(1, RTSPRequest("OPTIONS", "*"))
        _ = machine.submit(2, RTSPRequest("OPTIONS", "*"))
        let outcomes = Self.completed(machine.disconnected("gone"))
        #expect(outcomes == [1: .failure(.disconnected("gone")), 2: .failure(.disconnected("gone"))])
        #expect(Self.completed(machine.submit(3, RTSPRequest("OPTIONS", "*")))[3] == .failure(.disconnected("gone")))
        #expect(machine.received(Self.ok(1)).isEmpty)
    }

    @Test func anAnswerThatDoesNotComeEndsTheConnection() {
        var machine = Self.machine()
        #expect(machine.timedOut().isEmpty)
        _ = machine.submit(1, RTSPRequest("RECORD", "*"))
        #expect(Self.completed(machine.timedOut())[1] == .failure(.timedOut("its answer to RECORD")))
        #expect(machine.isClosed)
    }

    @Test func answersNobodyAskedForEndTheConnection() {
        var machine = Self.machine()
        #expect(machine.received(Self.ok(1)).contains(.close(.malformed("an answer nobody asked for"))))
        var other = Self.machine()
        _ = other.submit(1, RTSPRequest("OPTIONS", "*"))
        #expect(
            Self.completed(other.received(Self.ok(7)))[1] == .failure(.malformed("an answer to request 7 instead of 1"))
        )
    }

    private static let switching = RTSPRequest("POST", "/reverse", version: .http, headers: ["Upgrade": "PTTH/1.0"])

    @Test func itIsTheReceiversOnceItSwitches() throws {
        var machine = Self.machine(password: "secret")
        _ = machine.submit(1, Self.switching)
        _ = machine.submit(2, RTSPRequest("OPTIONS", "*"))
        #expect(Self.sent(machine.received(Self.challenge(1)))[0].contains("Authorization"))
        let answer = "HTTP/1.1 101 Switching Protocols\nDate: today\r\nUpgrade: PTTH/1.0\r\nContent-Length: 0\r\n\r\n"
        let actions = machine.received(Array((answer + "POST /ev").utf8))
        #expect(Self.sent(actions).isEmpty && actions.last == .switched(Array("POST /ev".utf8)))
        let outcomes = Self.completed(actions)
        #expect(try outcomes[1]?.get().status == 101)
        #expect(outcomes[2] == .failure(.disconnected("it is the receiver that asks on it")))
        #expect(machine.received(Array("ent HTTP/1.1\r\n\r\n".utf8)).isEmpty && machine.timedOut().isEmpty)
        #expect(Self.completed(machine.submit(3, RTSPRequest("OPTIONS", "*"))).count == 1)
        #expect(machine.disconnected("gone") == [.expectAnswer(false), .close(.disconnected("gone"))])
    }

    @Test func itSwitchesOnlyWhereItIsAsked() {
        var machine = Self.machine()
        _ = machine.submit(1, Self.switching)
        #expect(Self.completed(machine.received(Array("HTTP/1.1 404 No\r\n\r\n".utf8))).count == 1)
        _ = machine.submit(2, RTSPRequest("OPTIONS", "*"))
        let actions = machine.received(Array("RTSP/1.0 101 Whatever\r\nCSeq: 2\r\n\r\n".utf8))
        #expect(actions.count == 2 && Self.completed(actions).count == 1)
        #expect(!Self.sent(machine.submit(3, RTSPRequest("OPTIONS", "*"))).isEmpty)
    }
}
