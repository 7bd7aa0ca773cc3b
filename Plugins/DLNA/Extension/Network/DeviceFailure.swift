import DLNAProtocol

/// Why a request to a device did not do what it should.
enum DeviceFailure: Error, Sendable, Hashable {
    /// No connection; the system's words.
    case unreachable(String)
    case timedOut
    /// An HTTP status that is no success, without a UPnP error in the answer.
    case status(Int)
    /// The answer is longer than allowed.
    case tooLarge
    /// The device sends us somewhere else, which is not followed off its host.
    case redirected(String)
    /// The service answered with a UPnP error.
    case fault(UPnPFault)
    /// The answer cannot be understood.
    case unreadable(DLNAError)
    /// The device lacks the service that this needs.
    case noService(String)
    /// This process has too many connections and files open for another one.
    case exhausted
    case cancelled

    /// Whether the device did not answer at all, as opposed to answering badly.
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
        case .unreadable(let error): error.description
        case .noService(let name): "The device has no \(name) service."
        case .exhausted: "Too many connections are open; try again in a few seconds."
        case .cancelled: "The request was cancelled."
        }
    }
}
