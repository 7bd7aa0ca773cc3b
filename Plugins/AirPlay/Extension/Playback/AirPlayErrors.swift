import AirPlayPairing
import AirPlayProtocol
import MediaDevice

extension MediaDeviceError {
    /// An error of the receiver as the host takes it.
    ///
    /// - Parameter code: What failed, where the error itself does not tell.
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

    /// Why a receiver could not be paired with.
    init(_ failure: PairingFailure) {
        switch failure {
        case .connection(let error): self.init(error, .connectionFailed)
        case .pairing(let error):
            switch error {
            case .refused, .unproved, .withdrawn: self.init(.authorizationFailed, reason: error.sentence)
            case .busy: self.init(.deviceInUse, reason: error.sentence)
            // Another code changes nothing, so none is asked for.
            case .backOff, .tooManyAttempts, .noRoom, .limited, .status, .failed:
                self.init(.authorizationFailed, detail: .deviceRefused, reason: error.sentence)
            case .malformed: self.init(.connectionFailed, reason: error.sentence)
            }
        }
    }
}
