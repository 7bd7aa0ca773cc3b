import BlueZ
import HostInterface
import Synchronization

/// The pending question of a device for a person. bluetoothd asks one at a time.
final class PairingQuestions: Sendable {
    private struct State {
        var waiting: CheckedContinuation<BluetoothOrder?, Never>?
        /// Counts the questions.
        var round = 0
    }

    private let state = Mutex(State())

    /// Asks a question and waits for the answer.
    ///
    /// - Returns: ``BluetoothPairingAnswer/cancel`` if the device no longer waits.
    func ask(
        _ challenge: BluetoothPairingChallenge, _ sink: AsyncStream<BluetoothAnswer>.Continuation
    ) async -> BluetoothPairingAnswer {
        let answer = BluetoothAnswer(challenge)
        guard answer.challenge != .typeOnDevice else {
            sink.yield(answer)
            return .accept
        }
        let round = state.withLock { state in
            state.round += 1
            return state.round
        }
        let reply: BluetoothOrder? = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let earlier = state.withLock { state in
                    defer { state.waiting = continuation }
                    return state.waiting
                }
                earlier?.resume(returning: nil)
                // Answers now reach the waiting request.
                sink.yield(answer)
                if Task.isCancelled { resume(round, nil) }
            }
        } onCancel: {
            resume(round, nil)
        }
        guard let reply else { return .cancel }
        if reply.isAccepted == false { return .reject }
        if let code = reply.code { return .code(code) }
        return .accept
    }

    func answer(_ reply: BluetoothOrder) { resume(nil, reply) }

    /// - Parameter round: `nil`: whichever waits.
    private func resume(_ round: Int?, _ reply: BluetoothOrder?) {
        let waiting = state.withLock { state -> CheckedContinuation<BluetoothOrder?, Never>? in
            guard round == nil || round == state.round else { return nil }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: reply)
    }
}

extension BluetoothAnswer {
    init(_ challenge: BluetoothPairingChallenge) {
        self.init(.challenge)
        switch challenge {
        case .pinCode: self.challenge = .pinCode
        case .passkey: self.challenge = .passkey
        case .comparison(let digits):
            self.challenge = .comparison
            number = digits
        case .authorization: self.challenge = .authorization
        case .typeOnDevice(let digits, _):
            self.challenge = .typeOnDevice
            number = digits
        }
    }
}
