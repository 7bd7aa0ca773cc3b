/// Why a device could not be paired with.
package enum PairingError: Error, Sendable, Hashable {
    /// The device broke the protocol; carries what was wrong, for logs.
    case malformed(String)
    /// The code was wrong, or a key is not known.
    case refused
    /// Too many attempts; carries how many seconds to wait, where the device tells.
    case backOff(seconds: Int?)
    /// The device takes no more attempts until it is reset.
    case tooManyAttempts
    /// It has as many partners as it can have.
    case noRoom
    /// Somebody else is pairing with it.
    case busy
    /// The device gave another error; carries its number.
    case failed(UInt8)
    /// The device did not prove that it knows the code: it is another one than it says.
    case unproved
}

extension PairingError {
    /// Reads what an answer says went wrong; `nil` where nothing did.
    package init?(_ answer: TaggedValues) {
        guard let code = answer[.error]?.first else { return nil }
        switch code {
        case 2: self = .refused
        case 3:
            // A number of up to eight bytes, the lowest first.
            let delay = answer[.retryDelay].map { bytes in
                bytes.prefix(7).reversed().reduce(0) { $0 << 8 | Int($1) }
            }
            self = .backOff(seconds: delay)
        case 4: self = .noRoom
        case 5: self = .tooManyAttempts
        case 7: self = .busy
        default: self = .failed(code)
        }
    }

    /// One sentence for people.
    package var sentence: String {
        switch self {
        case .malformed(let what): "The device sent something that cannot be understood (\(what))."
        case .refused: "The device does not accept the code."
        case .backOff(let seconds?): "The device takes no code for the next \(seconds) s."
        case .backOff(nil): "The device takes no code for a while: too many wrong ones were given."
        case .tooManyAttempts: "The device takes no code until it is started again: too many wrong ones were given."
        case .noRoom: "The device is paired with as many others as it can be."
        case .busy: "Somebody else is pairing with the device."
        case .failed(let code): "The device refused to pair (error \(code))."
        case .unproved: "The device does not know the code that was given: it may be another one than it says."
        }
    }
}
