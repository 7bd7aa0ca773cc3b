import BluetoothProtocol
import MediaDevice

/// A pairing in progress. It passes the device's questions to the person, and the answers back.
@MainActor
final class BluetoothPairing {
    private let device: MediaOutputDevice
    private let session: MediaOutputSession
    private let host: MediaDeviceRoutingManager
    private var waiting:
        (question: BluetoothPairingQuestion, answer: CheckedContinuation<BluetoothPairingReply, Never>)?

    init(_ device: MediaOutputDevice, _ session: MediaOutputSession, _ host: MediaDeviceRoutingManager) {
        self.device = device
        self.session = session
        self.host = host
    }

    func ask(_ question: BluetoothPairingQuestion) async -> BluetoothPairingReply {
        let name = device.displayName
        switch question {
        // Who asked for the pairing has said so already.
        case .authorization: return .accept
        case .pinCode: show(.pinCode(of: name))
        case .passkey: show(.passkey(of: name))
        case .comparison(let digits): show(.comparison(digits, with: name))
        case .typeOnDevice(let digits):
            show(.typing(digits, on: name))
            return .accept
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer(.refuse)
                waiting = (question, continuation)
                if Task.isCancelled { answer(.refuse) }
            }
        } onCancel: {
            Task { @MainActor in self.answer(.refuse) }
        }
    }

    /// Answers the current question.
    ///
    /// - Parameter code: The text that the person entered; `nil` if they refused.
    /// - Returns: `false` if there is no question.
    func answer(code: String?) -> Bool {
        guard let waiting else { return false }
        switch (waiting.question, code) {
        case (_, nil): answer(.refuse)
        case (.pinCode, let code?), (.passkey, let code?): answer(.code(code))
        default: answer(.accept)
        }
        return true
    }

    private func answer(_ reply: BluetoothPairingReply) {
        let continuation = waiting?.answer
        waiting = nil
        continuation?.resume(returning: reply)
    }

    private func show(_ prompt: BluetoothPrompt) {
        let method: MediaOutputDevice.AuthorizationMethod =
            switch prompt.method {
            case .text: .password
            case .sixDigits: .numericCode(length: .sixCharacter)
            case .confirmation: .none
            }
        host.requestPairingCode(
            for: device, session: session, reason: "\(prompt.sentence)", authorizationMethod: method)
    }
}
