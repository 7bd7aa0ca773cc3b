/// What a device wants while it is paired.
package enum BluetoothPairingChallenge: Sendable, Hashable {
    /// The code that the device has, 1 to 16 bytes: mostly 4 digits (`RequestPinCode`).
    case pinCode
    /// Six digits that the device shows (`RequestPasskey`).
    case passkey
    /// Whether the device shows the same six digits (`RequestConfirmation`).
    case comparison(String)
    /// Whether it may be paired at all, as neither side can show anything (`RequestAuthorization`).
    case authorization
    /// What is to be typed on the device (`DisplayPinCode`, `DisplayPasskey`). Nothing is answered; it comes again with
    /// each key.
    case typeOnDevice(String, typed: Int)

    var wantsAnswer: Bool { if case .typeOnDevice = self { false } else { true } }
}

package enum BluetoothPairingAnswer: Sendable, Hashable {
    /// For a PIN code or a passkey.
    case code(String)
    /// For a comparison or an authorization.
    case accept
    case reject
    /// The person gave up.
    case cancel
}

/// An answer in the form in which bluetoothd takes it.
enum PairingReply: Hashable {
    case pinCode(String)
    case passkey(UInt32)
    case nothing

    enum Refusal: String, Error, Hashable {
        case rejected = "org.bluez.Error.Rejected"
        case cancelled = "org.bluez.Error.Canceled"
    }

    init(_ challenge: BluetoothPairingChallenge, _ answer: BluetoothPairingAnswer) throws(Refusal) {
        switch (challenge, answer) {
        case (_, .cancel): throw .cancelled
        case (_, .reject): throw .rejected
        case (.pinCode, .code(let code)):
            guard (1...16).contains(code.utf8.count) else { throw .rejected }
            self = .pinCode(code)
        case (.passkey, .code(let code)):
            // People type the gap that devices show in the middle.
            let digits = code.filter { !$0.isWhitespace }
            guard digits.utf8.count <= 6, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let passkey = UInt32(digits)
            else { throw .rejected }
            self = .passkey(passkey)
        case (.comparison, .accept), (.authorization, .accept), (.typeOnDevice, _): self = .nothing
        default: throw .rejected
        }
    }
}

extension BluetoothPairingChallenge {
    /// A passkey as every device shows it.
    static func digits(_ passkey: UInt32) -> String {
        let text = String(passkey)
        return String(repeating: "0", count: max(0, 6 - text.count)) + text
    }
}
