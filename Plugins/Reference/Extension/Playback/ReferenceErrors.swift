import MediaDevice
import ReferenceProtocol

extension MediaDeviceError {
    /// Creates an error for the host and people.
    ///
    /// - Parameters:
    ///   - failure: The connection's error.
    ///   - code: The kind of failure, unless the receiver's own reason is more specific.
    init(_ failure: ConnectionFailure, _ code: Code) {
        switch failure {
        case .refused(let failure): self.init(failure, code)
        case .unreachable(let reason):
            self.init(.connectionFailed, reason: "The receiver cannot be reached: \(reason).")
        case .cancelled: self.init(.authorizationFailed, reason: "The pairing was cancelled.")
        case .lost(let name): self.init(.connectionFailed, reason: "The connection to \(name) was lost.")
        case .timedOut:
            self.init(.connectionFailed, detail: .timedOut, reason: "The receiver did not answer in time.")
        case .notUnderstood(let reason):
            self.init(code, detail: .notSupported, reason: "What answers there is no reference receiver: \(reason).")
        }
    }

    init(_ failure: ReferenceFailure, _ code: Code) {
        switch failure.code {
        case .wrongCode: self.init(.authorizationFailed, reason: failure.message)
        case .refused: self.init(code, detail: .deviceRefused, reason: failure.message)
        case .authorizationRequired:
            self.init(.authorizationFailed, detail: .authorizationRequired, reason: failure.message)
        case .busy: self.init(.deviceInUse, reason: failure.message)
        case .notSupported: self.init(code, detail: .notSupported, reason: failure.message)
        case .unreachableMedia: self.init(code, detail: .unreachableURL, reason: failure.message)
        case .unsupportedFormat: self.init(code, detail: .unsupportedFormat, reason: failure.message)
        default: self.init(code, reason: failure.message)
        }
    }
}
