import BlueZ
import HostInterface
import Testing

@testable import HostBluetooth

@Suite(.timeLimit(.minutes(1))) struct PairingQuestionsTests {
    private func ask(
        _ challenge: BluetoothPairingChallenge, _ reply: BluetoothOrder
    ) async -> (BluetoothAnswer?, BluetoothPairingAnswer) {
        let (answers, sink) = AsyncStream.makeStream(of: BluetoothAnswer.self)
        let questions = PairingQuestions()
        async let answer = questions.ask(challenge, sink)
        var seen = answers.makeAsyncIterator()
        let asked = await seen.next()
        questions.answer(reply)
        return (asked, await answer)
    }

    @Test func aQuestionIsAskedAndItsAnswerTaken() async {
        let code = await ask(.pinCode, BluetoothOrder(.reply, code: "0000", isAccepted: true))
        #expect(code.0?.challenge == .pinCode)
        #expect(code.1 == .code("0000"))
        let yes = await ask(.comparison("000042"), BluetoothOrder(.reply, isAccepted: true))
        #expect(yes.0?.number == "000042")
        #expect(yes.1 == .accept)
        let no = await ask(.comparison("000042"), BluetoothOrder(.reply, isAccepted: false))
        #expect(no.1 == .reject)
    }

    @Test func whatTheDeviceTakesBackIsNotAwaited() async {
        let (answers, sink) = AsyncStream.makeStream(of: BluetoothAnswer.self)
        let questions = PairingQuestions()
        let asking = Task { await questions.ask(.passkey, sink) }
        var seen = answers.makeAsyncIterator()
        _ = await seen.next()
        asking.cancel()
        #expect(await asking.value == .cancel)
        // Too late: no question is open.
        questions.answer(BluetoothOrder(.reply, code: "123456", isAccepted: true))
    }

    @Test func whatIsTypedOnTheDeviceWantsNoAnswer() async {
        let (answers, sink) = AsyncStream.makeStream(of: BluetoothAnswer.self)
        #expect(await PairingQuestions().ask(.typeOnDevice("000042", typed: 0), sink) == .accept)
        var seen = answers.makeAsyncIterator()
        #expect(await seen.next()?.number == "000042")
    }
}
