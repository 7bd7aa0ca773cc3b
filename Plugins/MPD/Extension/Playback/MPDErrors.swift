import MPDProtocol
import MediaDevice

extension MediaDeviceError {
    /// An error of the server as the host takes it, with the server's own words.
    ///
    /// - Parameter code: What failed, where the error itself does not tell.
    init(_ error: MPDError, _ code: MediaDeviceError.Code) {
        switch error {
        case .refused(let refusal) where refusal.code == .password:
            self.init(.authorizationFailed, reason: refusal.sentence)
        case .refused(let refusal) where refusal.code == .permission:
            self.init(.authorizationFailed, detail: .authorizationRequired, reason: refusal.sentence)
        case .refused: self.init(code, detail: .deviceRefused, reason: error.sentence)
        case .timedOut: self.init(.connectionFailed, detail: .timedOut, reason: error.sentence)
        case .unreachable, .disconnected, .notMPD, .malformed, .tooLarge:
            self.init(.connectionFailed, reason: error.sentence)
        case .invalidCommand: self.init(code, detail: .notSupported, reason: error.sentence)
        }
    }
}

extension MPDPlaybackSession {
    /// Why playing failed, from a refusal of one of the commands that begin it.
    static func failure(_ error: MPDError) -> MediaDeviceError {
        switch error {
        case .refused(let refusal) where refusal.code != .password && refusal.code != .permission:
            failure(MPDPlaybackFailure(refusal))
        default: MediaDeviceError(error, .sessionFailed)
        }
    }

    static func failure(_ failure: MPDPlaybackFailure) -> MediaDeviceError {
        let detail: MediaDeviceError.Detail? =
            switch failure {
            case .unreachableAddress: .unreachableURL
            case .unsupportedFormat: .unsupportedFormat
            case .output: .deviceRefused
            case .other: nil
            }
        return MediaDeviceError(.sessionFailed, detail: detail, reason: failure.sentence)
    }
}
