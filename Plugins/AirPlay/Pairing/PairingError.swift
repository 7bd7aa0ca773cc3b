/// An error of pairing with a device.
package enum PairingError: Error, Sendable, Hashable {
    /// The device violated the protocol; the text is the reason, for logs.
    case malformed(String)
    /// The code was wrong, or a key is not known.
    case refused
    /// There were too many attempts; the number is the seconds to wait, if the device reports them.
    case backOff(seconds: Int?)
    /// The device accepts no more attempts until it is reset.
    case tooManyAttempts
    /// The device can't store another pairing.
    case noRoom
    /// The device is pairing with another client.
    case busy
    /// The device gave another error; carries its number.
    case failed(UInt8)
    /// The device admits only certain people, and this machine isn't theirs.
    case limited
    /// The device shows its code no more: it was given too late, or the screen was left.
    case withdrawn
    /// The device answered with another status than success; carries it.
    case status(Int)
    /// The device didn't prove that it knows the code, so its identity is wrong.
    case unproved
}

extension PairingError {
    /// Reads the error of an answer; `nil` if there is none.
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

    /// Creates an error from the status of an answer; `nil` for a status whose answer has a message.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - retryAfter: The header with that name, in seconds.
    ///   - isProof: `true` if the request proved knowledge of the code, so that only a wrong code can cause a refusal.
    package init?(status: Int, retryAfter: String? = nil, isProof: Bool = false) {
        switch status {
        case 200..<300: return nil
        case 429, 503: self = .backOff(seconds: retryAfter.flatMap { Int($0) }.map { max(0, $0) })
        case 400..<500 where isProof: self = .refused
        case 403: self = .limited
        case 470: self = .refused
        default: self = .status(status)
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
        case .limited:
            "The device lets certain people in only: on an Apple TV, under Settings, AirPlay and HomeKit, set Allow Access "
                + "to “Anyone on the Same Network” or “Everyone”."
        case .withdrawn: "The device has put its code away before it was given."
        case .status(let status): "The device refused to pair (status \(status))."
        case .unproved: "The device does not know the code that was given: it may be another one than it says."
        }
    }
}
