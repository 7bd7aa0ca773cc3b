import PlaybackKit

extension PlayerPrompt {
    /// Passes a device's question during pairing to the person, and returns the answer.
    func answer(to question: BluetoothPairingQuestion, of name: String) async -> BluetoothPairingReply {
        // Whoever asked for the pairing has permitted it already.
        guard let request = question.request(of: name) else { return .accept }
        if case .typeOnDevice = question {
            show(request)
            return .accept
        }
        guard let answer = await ask(request) else { return .refuse }
        if case .comparison = question { return .accept }
        return .code(answer)
    }
}

extension BluetoothPairingQuestion {
    /// Returns the prompt for a person; `nil` for a permission to pair.
    func request(of name: String) -> SecretRequest? {
        switch self {
        case .authorization: nil
        case .pinCode:
            SecretRequest(.password, reason: "Enter the PIN code of \(name) from its manual. Most use 0000 or 1234.")
        case .passkey:
            SecretRequest(
                .numericCode(length: .sixCharacter), reason: "Enter the six digits that \(name) shows.")
        case .comparison(let digits):
            SecretRequest(.none, reason: "Does \(name) show \(digits)? Confirm if it does, or if it has no display.")
        case .typeOnDevice(let digits):
            SecretRequest(.none, reason: "Type \(digits) on \(name), then press Enter there.")
        }
    }
}
