import DeviceConnections
import ReferenceProtocol
import Synchronization
import Testing

@testable import ReferenceExtension

struct ReferenceConnectionMachineTests {
    /// Seconds, moved by the test.
    private final class Time: Sendable {
        let seconds = Mutex(100.0)
        var now: Double {
            get { seconds.withLock { $0 } }
            set { seconds.withLock { $0 = newValue } }
        }
    }

    private let time = Time()

    private func machine() -> ReferenceConnectionMachine {
        let time = time
        var machine = ReferenceConnectionMachine { time.now }
        _ = machine.connected()
        return machine
    }

    private func line(_ message: ReferenceMessage) -> [UInt8] { ReferenceLines.encode(message) }

    /// Returns a word for each action.
    private func words(_ actions: [ConnectionAction<ReferenceConnectionMachine.Response, LinkEvent>]) -> [String] {
        actions.map { action in
            switch action {
            case .send(let bytes): String(decoding: bytes.dropLast(), as: UTF8.self)
            case .ready: "ready"
            case .complete(let id, let response): "\(id) after \(response.received - response.sent) s"
            case .notify(let event): "\(event)"
            case .expect(let limit): limit.map { "within \($0)" } ?? "nothing due"
            case .close(let failure): "close: \(failure)"
            }
        }
    }

    @Test func findsTheAnswersOfRequests() {
        var machine = machine()
        #expect(
            words(machine.submit(1, .init(command: .clock, note: .compared))) == [
                #"{"command":{"clock":{}},"id":1}"#, "within 4.0 seconds",
            ])
        time.now += 1
        _ = machine.submit(2, .init(command: .pause, note: nil))
        time.now += 1
        #expect(
            words(machine.received(line(.reply(to: 2, .success(.done))))) == ["2 after 1.0 s", "within 2.0 seconds"],
            "the first request is still due")
        #expect(
            words(machine.received(line(.reply(to: 1, .success(.time(seconds: 7)))))) == [
                "compared", "1 after 2.0 s", "nothing due",
            ], "the note is before the answer")
    }

    @Test func ignoresAnswersNobodyAskedFor() {
        var machine = machine()
        for number in [7, -1] {
            #expect(words(machine.received(line(.reply(to: number, .success(.done))))) == ["nothing due"])
        }
    }

    @Test func closesOnWhatItDoesNotUnderstandAndOnSilence() {
        var machine = machine()
        let actions = words(machine.received(Array("SSH-2.0\n".utf8)))
        #expect(actions == [#"close: malformed("a line is not of this protocol: SSH-2.0")"#])
        #expect(words(machine.timedOut()) == [#"close: timedOut("no answer to a command")"#])
    }
}
