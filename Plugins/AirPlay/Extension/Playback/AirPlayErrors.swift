import AirPlayPairing
import AirPlayProtocol
import MediaDevice

extension MediaDeviceError {
    /// Creates an error for the host from one of the receiver.
    ///
    /// - Parameters:
    ///   - error: The error of the receiver or the connection.
    ///   - code: The kind of failure, unless the error is more specific.
    init(_ error: AirPlayError, _ code: MediaDeviceError.Code) {
        switch error {
        case .wrongPassword(given: true): self.init(.authorizationFailed, reason: error.sentence)
        case .wrongPassword(given: false):
            self.init(.authorizationFailed, detail: .authorizationRequired, reason: error.sentence)
        case .unknownAuthentication: self.init(.authorizationFailed, detail: .notSupported, reason: error.sentence)
        case .notPaired:
            self.init(.authorizationFailed, detail: .authorizationRequired, reason: error.sentence)
        case .letNobodyIn: self.init(.authorizationFailed, detail: .deviceRefused, reason: error.sentence)
        case .busy: self.init(.deviceInUse, reason: error.sentence)
        case .refused: self.init(code, detail: .deviceRefused, reason: error.sentence)
        case .timedOut: self.init(.connectionFailed, detail: .timedOut, reason: error.sentence)
        case .returnPathBlocked: self.init(.connectionFailed, detail: .reverseConnectionBlocked, reason: error.sentence)
        case .unreachable, .disconnected, .malformed, .tooLarge: self.init(.connectionFailed, reason: error.sentence)
        }
    }

    /// Creates an error for the host from one of pairing.
    init(_ failure: PairingFailure) {
        switch failure {
        case .connection(let error): self.init(error, .connectionFailed)
        case .pairing(let error):
            switch error {
            case .refused, .unproved, .withdrawn: self.init(.authorizationFailed, reason: error.sentence)
            case .busy: self.init(.deviceInUse, reason: error.sentence)
            // Another code wouldn't help, so the person isn't asked for one.
            case .backOff, .tooManyAttempts, .noRoom, .limited, .status, .failed:
                self.init(.authorizationFailed, detail: .deviceRefused, reason: error.sentence)
            case .malformed: self.init(.connectionFailed, reason: error.sentence)
            }
        }
    }
}

extension AirPlayError {
    /// A Boolean value that indicates whether a later attempt can succeed.
    var canPass: Bool {
        switch self {
        case .unreachable, .disconnected, .timedOut: true
        default: false
        }
    }
}
