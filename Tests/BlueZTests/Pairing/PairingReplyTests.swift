import Testing

@testable import BlueZ

@Suite struct PairingReplyTests {
    @Test func answersThatFitAreTaken() throws {
        #expect(try PairingReply(.pinCode, .code("0000")) == .pinCode("0000"))
        #expect(try PairingReply(.passkey, .code("123 456")) == .passkey(123_456))
        #expect(try PairingReply(.passkey, .code("000042")) == .passkey(42))
        #expect(try PairingReply(.comparison("000000"), .accept) == .nothing)
        #expect(try PairingReply(.authorization, .accept) == .nothing)
    }

    @Test(arguments: [
        (BluetoothPairingChallenge.pinCode, BluetoothPairingAnswer.code("")), (.pinCode, .code("12345678901234567")),
        (.pinCode, .accept),
        (.passkey, .code("1234567")), (.passkey, .code("12345x")), (.passkey, .code("")), (.passkey, .code("+12345")),
        (.comparison("123456"), .code("123456")), (.comparison("123456"), .reject), (.authorization, .reject),
    ])
    func answersThatDoNotFitReject(challenge: BluetoothPairingChallenge, answer: BluetoothPairingAnswer) {
        #expect(throws: PairingReply.Refusal.rejected) { try PairingReply(challenge, answer) }
    }

    @Test func whoGivesUpCancels() {
        #expect(throws: PairingReply.Refusal.cancelled) { try PairingReply(.pinCode, .cancel) }
    }

    @Test func aPasskeyHasSixDigits() {
        #expect(BluetoothPairingChallenge.digits(7) == "000007")
        #expect(BluetoothPairingChallenge.digits(999_999) == "999999")
    }
}

@Suite struct PairingTableTests {
    private let first = BlueZIdentifier(rawValue: "/org/bluez/hci0/dev_1")
    private let second = BlueZIdentifier(rawValue: "/org/bluez/hci0/dev_2")

    @Test func onlyDevicesThatArePairedHereMayAsk() {
        var table = PairingTable()
        let early = table.ask(first)
        #expect(early == nil)
        let begun = [table.begin(first), table.begin(first)]
        #expect(begun == [true, false])
        let rounds = [table.ask(first), table.ask(second)]
        #expect(rounds == [1, nil])
        // A second answer to the same question is ignored.
        let answers = [table.answer(first, round: 1), table.answer(first, round: 1)]
        #expect(answers == [true, false])
        table.end(first)
        let late = table.ask(first)
        #expect(late == nil)
    }

    @Test func aLateAnswerIsNotTakenForTheNextChallenge() {
        var table = PairingTable()
        _ = table.begin(first)
        let old = table.ask(first) ?? 0
        let waiting = table.cancel()
        #expect(waiting == [first])
        let new = table.ask(first) ?? 0
        #expect(new != old)
        let answers = [table.answer(first, round: old), table.answer(first, round: new)]
        #expect(answers == [false, true])
        let rest = table.cancel()
        #expect(rest.isEmpty)
    }
}
