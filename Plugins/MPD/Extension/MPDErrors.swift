import DeviceConnections
import MPDProtocol
import PlaybackKit

extension MediaDeviceError {
    /// Creates an error for the host with the server's own text.
    ///
    /// - Parameter code: The kind of failure, if the error itself doesn't contain it.
    init(_ error: MPDError, _ code: MediaDeviceError.Code) {
        switch error {
        case .refused(let refusal) where refusal.code == .password:
            self.init(.authorizationFailed, reason: refusal.sentence)
        case .refused(let refusal) where refusal.code == .permission:
            self.init(.authorizationFailed, detail: .authorizationRequired, reason: refusal.sentence)
        case .refused: self.init(code, detail: .deviceRefused, reason: error.sentence)
        case .transport(let failure): self.init(failure)
        case .invalidCommand: self.init(code, detail: .notSupported, reason: error.sentence)
        }
    }

    /// Creates an error for a failed start, from the error of one of the commands that begin playback.
    init(starting error: MPDError) {
        switch error {
        case .refused(let refusal) where refusal.code != .password && refusal.code != .permission:
            self.init(MPDPlaybackFailure(refusal))
        default: self.init(error, .sessionFailed)
        }
    }

    init(_ failure: MPDPlaybackFailure) {
        let detail: MediaDeviceError.Detail? =
            switch failure {
            case .unreachableAddress: .unreachableURL
            case .unsupportedFormat: .unsupportedFormat
            case .output: .deviceRefused
            case .other: nil
            }
        self.init(.sessionFailed, detail: detail, reason: failure.sentence)
    }
}
