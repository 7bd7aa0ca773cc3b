import NIOCore
import Testing

@testable import NetworkConnections

/// The order of states, completions and closing, without any network.
@Suite struct ConnectionMachineTests {
    private var machine = ConnectionMachine(keepsMessages: false)

    private func words(_ actions: [ConnectionMachine.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .tell(let state): "tell \(state)"
            case .attempt(let number): "attempt \(number)"
            case .abandon: "abandon"
            case .write(let send): "write \(send.id)\(send.endsOutput ? " last" : "")"
            case .close: "close"
            case .finishReceive(let id, let answer):
                "receive \(id) \(answer.content.map { String(buffer: $0) } ?? "nil") \(answer.isComplete) "
                    + "\(answer.error.map { "\($0)" } ?? "ok")"
            case .finishSend(let id, let error): "sent \(id) \(error.map { "\($0)" } ?? "ok")"
            }
        }
    }

    private mutating func becomeReady() {
        _ = machine.start()
        _ = machine.connected(1)
    }

    private func send(_ id: Int, _ text: String?, last: Bool = false) -> ConnectionMachine.Send {
        ConnectionMachine.Send(id: id, content: text.map { ByteBuffer(string: $0) }, endsOutput: last)
    }

    @Test mutating func sendsWaitUntilItIsReady() {
        #expect(words(machine.send(send(1, "a"))).isEmpty)
        #expect(words(machine.start()) == ["tell preparing", "attempt 1"])
        #expect(words(machine.start()).isEmpty, "only the first call counts")
        #expect(words(machine.send(send(2, "b"))).isEmpty)
        #expect(words(machine.connected(1)) == ["tell ready", "write 1", "write 2"])
        #expect(words(machine.wrote(1, nil)) == ["sent 1 ok"])
    }

    @Test mutating func aRefusedConnectionWaitsAndTriesAgain() {
        _ = machine.start()
        let refused = words(machine.attemptFailed(1, .posix(.ECONNREFUSED)))
        #expect(refused == ["abandon", "tell waiting(\(NWError.posix(.ECONNREFUSED)))"])
        #expect(words(machine.connected(1)).isEmpty, "an attempt that was given up comes too late")
        #expect(words(machine.retry()) == ["tell preparing", "attempt 2"])
        #expect(words(machine.retry()).isEmpty)
        #expect(words(machine.connected(2)) == ["tell ready"])
    }

    @Test mutating func aRefusedCertificateIsNothingToWaitFor() {
        _ = machine.start()
        _ = machine.send(send(1, "a"))
        let error = NWError.tls(errSSLXCertChainInvalid)
        #expect(words(machine.attemptFailed(1, error)) == ["abandon", "sent 1 \(error)", "tell failed(\(error))"])
        #expect(words(machine.send(send(2, "b"))) == ["sent 2 \(error)"])
        #expect(words(machine.cancel()) == ["abandon", "tell cancelled"])
    }

    @Test mutating func theEndIsToldOnceAndTheOtherDirectionStaysOpen() {
        becomeReady()
        #expect(words(machine.receive(.init(id: 1, minimum: 1, maximum: 2))).isEmpty)
        #expect(words(machine.received(ByteBuffer(string: "abc"))) == ["receive 1 ab false ok"])
        #expect(words(machine.inputEnded()).isEmpty)
        #expect(words(machine.receive(.init(id: 2, minimum: 5, maximum: 9))) == ["receive 2 c true ok"])
        let after = words(machine.receive(.init(id: 3, minimum: 1, maximum: 9)))
        #expect(after == ["receive 3 nil true \(NWError.posix(.ENODATA))"])
        #expect(words(machine.send(send(4, "d", last: true))) == ["write 4 last"])
        #expect(words(machine.send(send(5, "e"))) == ["sent 5 \(NWError.posix(.EPIPE))"])
    }

    @Test mutating func aWholeStreamIsOneMessage() {
        becomeReady()
        #expect(words(machine.receive(.init(id: 1, wantsMessage: true))).isEmpty)
        _ = machine.received(ByteBuffer(string: "ab"))
        #expect(words(machine.received(ByteBuffer(string: "cd"))).isEmpty)
        #expect(words(machine.closed()) == ["receive 1 abcd true ok"])
    }

    @Test mutating func aCancelledConnectionSendsWhatItAccepted() {
        becomeReady()
        _ = machine.receive(.init(id: 1))
        _ = machine.send(send(2, "a"))
        #expect(words(machine.cancel()) == ["receive 1 nil false \(NWError.posix(.ECANCELED))"])
        #expect(words(machine.send(send(3, "b"))) == ["sent 3 \(NWError.posix(.ECANCELED))"])
        #expect(words(machine.wrote(2, nil)) == ["sent 2 ok", "close"])
        #expect(words(machine.closed()) == ["abandon", "tell cancelled"])
        #expect(words(machine.cancel()).isEmpty)
    }

    @Test mutating func aForcedEndDropsIt() {
        becomeReady()
        _ = machine.send(send(1, "a"))
        #expect(
            words(machine.forceCancel()) == ["abandon", "sent 1 \(NWError.posix(.ECANCELED))", "tell cancelled"])
    }

    @Test mutating func aBrokenConnectionGivesWhatArrivedFirst() {
        becomeReady()
        _ = machine.received(ByteBuffer(string: "abc"))
        let error = NWError.posix(.ECONNRESET)
        #expect(words(machine.broke(error)) == ["abandon", "tell failed(\(error))"])
        #expect(words(machine.receive(.init(id: 1, minimum: 9, maximum: 9))) == ["receive 1 abc false \(error)"])
        #expect(words(machine.receive(.init(id: 2))) == ["receive 2 nil false \(error)"])
    }

    @Test mutating func whatWaitsToBeSentIsBounded() {
        _ = machine.start()
        let much = ByteBuffer(repeating: 0, count: ConnectionMachine.greatestBacklog)
        #expect(words(machine.send(.init(id: 1, content: much))).isEmpty)
        #expect(words(machine.send(send(2, "a"))) == ["sent 2 \(NWError.posix(.ENOBUFS))"])
    }

    @Test func aReaderThatAsksForNothingIsNotFloodedWithInput() {
        var machine = ConnectionMachine(keepsMessages: false)
        _ = machine.start()
        _ = machine.connected(1)
        #expect(machine.wantsMore)
        _ = machine.received(ByteBuffer(repeating: 0, count: 64 << 10))
        #expect(!machine.wantsMore)
        _ = machine.receive(.init(id: 1, minimum: 100_000, maximum: 100_000))
        #expect(machine.wantsMore)
    }

    @Test func datagramsKeepTheirBounds() {
        var machine = ConnectionMachine(keepsMessages: true)
        _ = machine.start()
        _ = machine.connected(1)
        _ = machine.received(ReceiveQueue.Message(content: ByteBuffer(string: "abc")))
        _ = machine.received(ReceiveQueue.Message(content: ByteBuffer(string: "de")))
        #expect(words(machine.receive(.init(id: 1, minimum: 1, maximum: 2))) == ["receive 1 ab false ok"])
        #expect(words(machine.receive(.init(id: 2, minimum: 1, maximum: 9))) == ["receive 2 c true ok"])
        #expect(words(machine.receive(.init(id: 3, wantsMessage: true))) == ["receive 3 de true ok"])
    }
}
