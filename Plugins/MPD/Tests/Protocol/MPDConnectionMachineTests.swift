import MPDProtocol
import Testing

struct MPDConnectionMachineTests {
    typealias Action = MPDConnectionMachine.Action

    static let idle = Action.send(Array("idle player mixer options playlist\n".utf8))
    static let greeting = Array("OK MPD 0.23.5\n".utf8)

    static func ready() -> MPDConnectionMachine {
        var machine = MPDConnectionMachine()
        _ = machine.connected()
        _ = machine.received(greeting)
        return machine
    }

    static func text(_ action: Action?) -> String? {
        if case .send(let bytes) = action { String(decoding: bytes, as: UTF8.self) } else { nil }
    }

    @Test func idlesAsSoonAsItIsGreeted() {
        var machine = MPDConnectionMachine()
        #expect(machine.connected() == [.expect(.greeting)])
        #expect(machine.received(Self.greeting) == [.ready(MPDVersion(0, 23, 5)), Self.idle, .expect(nil)])
    }

    @Test func sendsThePasswordBeforeAnythingElse() {
        var machine = MPDConnectionMachine(password: #"se"same"#)
        _ = machine.connected()
        let actions = machine.received(Self.greeting)
        #expect(Self.text(actions.first) == #"password "se\"same""# + "\n")
        #expect(actions.last == .expect(.password))
        #expect(!machine.isReady)
        #expect(machine.received(Array("OK\n".utf8)).first == .ready(MPDVersion(0, 23, 5)))
    }

    @Test func aRequestThatCameTooLateIsToldWhyTheConnectionEnded() {
        var machine = Self.ready()
        _ = machine.received(Array("no field\n".utf8))
        guard case .complete(7, .failure(.malformed))? = machine.submit(7, [MPDCommand("status")]).first else {
            Issue.record("another error than the one that ended it")
            return
        }
    }

    @Test func closesWithTheServersWordsOnAWrongPassword() {
        var machine = MPDConnectionMachine(password: "x")
        _ = machine.connected()
        _ = machine.received(Self.greeting)
        let refusal = MPDRefusal(code: .password, index: 0, command: "password", text: "incorrect password")
        let actions = machine.received(Array("ACK [3@0] {password} incorrect password\n".utf8))
        #expect(actions == [.expect(nil), .close(.refused(refusal))])
    }

    @Test func takesBackTheIdleForACommandAndIdlesAgain() {
        var machine = Self.ready()
        let actions = machine.submit(1, [MPDCommand("ping")])
        #expect(Self.text(actions.first) == "noidle\nping\n")
        #expect(actions.last == .expect(.answer))
        #expect(
            machine.received(Array("OK\nOK\n".utf8)) == [
                .complete(1, .success(MPDReply(parts: [.init()]))), Self.idle, .expect(nil),
            ])
    }

    @Test func takesAnEventThatCrossesTheNoidle() {
        var machine = Self.ready()
        _ = machine.submit(1, [MPDCommand("ping")])
        // The server answered the idle before it read the noidle, which it then ignores.
        #expect(machine.received(Array("changed: player\nchanged: mixer\nOK\n".utf8)) == [.changed([.player, .mixer])])
        #expect(machine.received(Array("OK\n".utf8)).first == .complete(1, .success(MPDReply(parts: [.init()]))))
    }

    @Test func idlesAgainAfterAnEvent() {
        var machine = Self.ready()
        #expect(machine.received(Array("changed: mixer\nOK\n".utf8)) == [.changed([.mixer]), Self.idle])
    }

    @Test func answersInTheOrderOfRequests() {
        var machine = Self.ready()
        _ = machine.submit(1, [MPDCommand("status")])
        #expect(Self.text(machine.submit(2, [MPDCommand("addid", "x")]).first) == "addid \"x\"\n")
        let actions = machine.received(Array("OK\nstate: stop\nOK\nACK [50@0] {addid} no\nOK\n".utf8))
        // The last OK belongs to nobody: it comes before the idle that follows was sent.
        #expect(actions.first == .complete(1, .success(MPDReply(parts: [.init(fields: [.init("state", "stop")])]))))
        #expect(actions.contains { if case .complete(2, .failure(.refused)) = $0 { true } else { false } })
        #expect(actions.last == .close(.malformed("an answer nobody asked for")))
    }

    @Test func sendsSeveralCommandsAsOneList() {
        var machine = Self.ready()
        let actions = machine.submit(1, [MPDCommand("stop"), MPDCommand("deleteid", "3")])
        #expect(
            Self.text(actions.first)
                == "noidle\ncommand_list_ok_begin\nstop\ndeleteid \"3\"\ncommand_list_end\n")
        let answer = machine.received(Array("OK\nlist_OK\nlist_OK\nOK\n".utf8))
        #expect(answer.first == .complete(1, .success(MPDReply(parts: [.init(), .init()]))))
    }

    @Test func refusesAListWithTheWrongNumberOfAnswers() {
        var machine = Self.ready()
        _ = machine.submit(1, [MPDCommand("stop"), MPDCommand("stop")])
        let actions = machine.received(Array("OK\nlist_OK\nOK\n".utf8))
        let error = MPDError.malformed("an answer with too many or too few parts")
        #expect(actions.suffix(2) == [.complete(1, .failure(error)), .close(error)])
    }

    @Test func neverSendsACommandThatCannotBeWritten() {
        var machine = Self.ready()
        let actions = machine.submit(1, [MPDCommand("ping"), MPDCommand("addid", "a\nclear")])
        #expect(actions == [.complete(1, .failure(.invalidCommand("it contains a line break")))])
        #expect(Self.text(machine.submit(2, [MPDCommand("ping")]).first) == "noidle\nping\n")
    }

    @Test func failsEverythingPendingWhenItEnds() {
        var machine = Self.ready()
        _ = machine.submit(1, [MPDCommand("ping")])
        _ = machine.submit(2, [MPDCommand("ping")])
        let error = MPDError.disconnected("gone")
        #expect(
            machine.disconnected("gone") == [
                .expect(nil), .complete(1, .failure(error)), .complete(2, .failure(error)), .close(error),
            ])
        #expect(machine.disconnected("again") == [])
        #expect(machine.received(Array("OK\n".utf8)) == [])
        #expect(machine.submit(3, [MPDCommand("ping")]).count == 1)
    }

    @Test func timesOutOnlyWhereSomethingIsExpected() {
        var machine = MPDConnectionMachine()
        #expect(machine.timedOut() == [])
        _ = machine.connected()
        #expect(machine.timedOut() == [.expect(nil), .close(.timedOut("waiting for its greeting"))])

        var idling = Self.ready()
        #expect(idling.timedOut() == [])
        _ = idling.submit(1, [MPDCommand("ping")])
        #expect(idling.timedOut().last == .close(.timedOut("waiting for its answer")))
    }

    @Test func stopsIdlingWhereTheServerRefusesIt() {
        var machine = Self.ready()
        #expect(machine.received(Array("ACK [5@0] {} unknown command \"idle\"\n".utf8)) == [])
        #expect(Self.text(machine.submit(1, [MPDCommand("ping")]).first) == "ping\n")
        #expect(machine.received(Array("OK\n".utf8)).last == .expect(nil))
    }

    @Test func closesOnWordsNobodyAskedFor() {
        var machine = MPDConnectionMachine(watched: [])
        _ = machine.connected()
        _ = machine.received(Self.greeting)
        #expect(
            machine.received(Array("changed: x\nOK\n".utf8)).last == .close(.malformed("an answer nobody asked for")))
    }

    @Test func waitsLongerEachTime() {
        var schedule = MPDReconnection()
        let delays = (0..<9).map { _ in schedule.delay() }
        #expect(delays.first == .milliseconds(250))
        #expect(delays[3] == .seconds(2))
        #expect(delays.last == .seconds(30))
        schedule.succeeded()
        #expect(schedule.delay() == .milliseconds(250))
    }
}
