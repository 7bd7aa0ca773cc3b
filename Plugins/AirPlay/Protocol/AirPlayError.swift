/// An error of the communication with an AirPlay receiver.
package enum AirPlayError: Error, Sendable, Hashable {
    /// The receiver requires a password, and got none or a wrong one.
    case wrongPassword(given: Bool)
    /// The receiver doesn't know this computer, or is another one than the paired one; the text is a sentence.
    case notPaired(String)
    /// The receiver accepts no one for now, or not this computer; the text is a sentence.
    case letNobodyIn(String)
    /// Another client plays on the receiver.
    case busy
    /// The receiver answered with another status than success.
    case refused(method: String, status: Int)
    /// The receiver requires an unknown kind of authentication; the text is its challenge, shortened.
    case unknownAuthentication(String)
    /// The receiver violated the protocol; the text is the reason, for logs.
    case malformed(String)
    /// A header or a body is larger than ``RTSPLimits`` allows; carries which.
    case tooLarge(String)
    /// No connection could be made; carries the last address's reason.
    case unreachable(String)
    /// The connection ended; carries the reason.
    case disconnected(String)
    /// The receiver didn't answer in time; the text says what was expected.
    case timedOut(String)
    /// The receiver answers, but its own packets do not come back; carries the local UDP port it should reach.
    case returnPathBlocked(port: Int)
}

extension AirPlayError {
    /// One sentence for people.
    package var sentence: String {
        switch self {
        case .wrongPassword(given: false): "The speaker asks for a password."
        case .wrongPassword(given: true): "The speaker does not accept the password."
        case .notPaired(let sentence), .letNobodyIn(let sentence): sentence
        case .busy: "Somebody else plays on the speaker."
        case .refused(let method, let status): "The speaker refused (\(method) was answered with \(status))."
        case .unknownAuthentication(let challenge): "The speaker wants an unknown proof of the password (\(challenge))."
        case .malformed(let what): "The speaker sent something that cannot be understood (\(what))."
        case .tooLarge(let what): "The speaker sent \(what) too large to be accepted."
        case .unreachable(let reason): "The speaker cannot be reached: \(reason)."
        case .disconnected(let reason): "The connection to the speaker ended: \(reason)."
        case .timedOut(let what): "The speaker did not answer in time (\(what))."
        case .returnPathBlocked(let port):
            "The speaker's packets do not reach this machine: incoming UDP on port \(port) is blocked, probably by a firewall."
        }
    }
}
