import DLNAProtocol

/// An error of a request to a device.
enum DeviceFailure: Error, Sendable, Hashable {
    /// No connection; carries the system's message.
    case unreachable(String)
    case timedOut
    /// The HTTP status isn't a success, and the answer has no UPnP error.
    case status(Int)
    /// The answer is longer than allowed.
    case tooLarge
    /// The device redirects to another host, which isn't followed.
    case redirected(String)
    /// The service answered with a UPnP error.
    case fault(UPnPFault)
    /// The answer isn't HTTP, or ends too early.
    case malformed(String)
    /// The document in the answer can't be parsed.
    case unreadable(DLNAError)
    /// The device lacks the service that this needs.
    case noService(String)
    /// This process has too many open connections and files.
    case exhausted
    case cancelled

    /// A Boolean value that indicates whether the device didn't answer at all.
    var isSilence: Bool {
        switch self {
        case .unreachable, .timedOut: true
        default: false
        }
    }

    /// One sentence for people.
    var sentence: String {
        switch self {
        case .unreachable(let words): "The device cannot be reached (\(words))."
        case .timedOut: "The device did not answer in time."
        case .status(let status): "The device answered with HTTP status \(status)."
        case .tooLarge: "The device's answer is too long."
        case .redirected(let target): "The device points to another host, \(target), which is not followed."
        case .fault(let fault): fault.sentence
        case .malformed(let reason): "The device sent something unexpected: \(reason)."
        case .unreadable(let error): error.description
        case .noService(let name): "The device has no \(name) service."
        case .exhausted: "Too many connections are open; try again in a few seconds."
        case .cancelled: "The request was cancelled."
        }
    }
}
