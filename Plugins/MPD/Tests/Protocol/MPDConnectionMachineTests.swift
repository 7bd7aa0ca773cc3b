import DeviceConnections
import MPDProtocol
import Testing

struct MPDConnectionMachineTests {
    typealias Action = MPDConnectionMachine.Action

    static let idle = Action.send(Array("idle player mixer options playlist\n".utf8))
    static let greeting = Array("OK MPD 0.23.5\n".utf8)
    static let answer = Action.expect(within: .seconds(20))

    /// Greeted, and idling after its first request.
    static func ready() -> MPDConnectionMachine {
        var machine = MPDConnectionMachine()
        _ = machine.connected()
        _ = machine.received(greeting)
        _ = machine.submit(99, [MPDCommand("ping")])
        _ = machine.received(Array("OK\n".utf8))
        return machine
    }

    static func text(_ action: Action?) -> String? {
        if case .send(let bytes) = action { String(decoding: bytes, as: UTF8.self) } else { nil }
    }

    @Test func idlesAfterItsFirstRequest() {
        var machine = MPDConnectionMachine()
        #expect(machine.connected() == [] && !machine.isReady)
        #expect(machine.received(Self.greeting) == [.notify(.greeted(MPDVersion(0, 23, 5))), .ready])
        #expect(machine.isReady)
        let actions = machine.submit(1, [MPDCommand("password", #"se"same"#)])
        #expect(Self.text(actions.first) == #"password "se\"same""# + "\n" && actions.last == Self.answer)
        #expect(
            machine.received(Array("OK\n".utf8)) == [
                .complete(1, .success(MPDReply(parts: [.init()]))), Self.idle, .expect(within: nil),
            ])
    }

    @Test func takesBackTheIdleForACommandAndIdlesAgain() {
        var machine = Self.ready()
        let actions = machine.submit(1, [MPDCommand("ping")])
        #expect(Self.text(actions.first) == "noidle\nping\n")
        #expect(actions.last == Self.answer)
        #expect(
            machine.received(Array("OK\nOK\n".utf8)) == [
                .complete(1, .success(MPDReply(parts: [.init()]))), Self.idle, .expect(within: nil),
            ])
    }

    @Test func takesAnEventThatCrossesTheNoidle() {
        var machine = Self.ready()
        _ = machine.submit(1, [MPDCommand("ping")])
        // The server answered the idle before it read the noidle, which it then ignores.
        let changed = Action.notify(.changed([.player, .mixer]))
        #expect(machine.received(Array("changed: player\nchanged: mixer\nOK\n".utf8)) == [changed])
        #expect(machine.received(Array("OK\n".utf8)).first == .complete(1, .success(MPDReply(parts: [.init()]))))
    }

    @Test func idlesAgainAfterAnEvent() {
        var machine = Self.ready()
        #expect(machine.received(Array("changed: mixer\nOK\n".utf8)) == [.notify(.changed([.mixer])), Self.idle])
    }

    @Test func answersInTheOrderOfRequests() {
        var machine = Self.ready()
        _ = machine.submit(1, [MPDCommand("status")])
        #expect(Self.text(machine.submit(2, [MPDCommand("addid", "x")]).first) == "addid \"x\"\n")
        let actions = machine.received(Array("OK\nstate: stop\nOK\nACK [50@0] {addid} no\nOK\n".utf8))
        // The last OK belongs to no request: it comes before the following idle was sent.
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
        #expect(actions == [.close(.malformed("an answer with too many or too few parts"))])
    }

    @Test func neverSendsACommandThatCannotBeWritten() {
        var machine = Self.ready()
        let actions = machine.submit(1, [MPDCommand("ping"), MPDCommand("addid", "a\nclear")])
        #expect(actions == [.complete(1, .failure(.invalidCommand("it contains a line break")))])
        #expect(Self.text(machine.submit(2, [MPDCommand("ping")]).first) == "noidle\nping\n")
    }

    @Test func timesOutOnlyWhereSomethingIsExpected() {
        var machine = Self.ready()
        #expect(machine.timedOut() == [])
        _ = machine.submit(1, [MPDCommand("ping")])
        #expect(machine.timedOut() == [.close(.timedOut("no answer to a command"))])
    }

    @Test func stopsIdlingWhereTheServerRefusesIt() {
        var machine = Self.ready()
        #expect(machine.received(Array("ACK [5@0] {} unknown command \"idle\"\n".utf8)) == [])
        #expect(Self.text(machine.submit(1, [MPDCommand("ping")]).first) == "ping\n")
        #expect(machine.received(Array("OK\n".utf8)).last == .expect(within: nil))
    }

    @Test func closesOnWordsNobodyAskedFor() {
        var machine = MPDConnectionMachine(watched: [])
        _ = machine.connected()
        _ = machine.received(Self.greeting)
        #expect(
            machine.received(Array("changed: x\nOK\n".utf8)).last == .close(.malformed("an answer nobody asked for")))
    }
}
