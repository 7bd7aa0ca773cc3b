import DLNAProtocol
import PlaybackKit

extension MediaDeviceError {
    /// Creates the error of a session from a failed request.
    init(_ failure: DeviceFailure) {
        switch failure {
        case .unreachable: self.init(.connectionFailed, reason: failure.sentence)
        case .timedOut: self.init(.connectionFailed, detail: .timedOut, reason: failure.sentence)
        case .fault(let fault): self.init(fault)
        case .noService: self.init(.sessionFailed, detail: .notSupported, reason: failure.sentence)
        default: self.init(.sessionFailed, reason: failure.sentence)
        }
    }

    private init(_ fault: UPnPFault) {
        switch fault.meaning {
        case .unsupportedFormat: self.init(.sessionFailed, detail: .unsupportedFormat, reason: fault.sentence)
        case .unreachableMedia: self.init(.sessionFailed, detail: .unreachableURL, reason: fault.sentence)
        case .busy: self.init(.deviceInUse, reason: fault.sentence)
        case .notSupported: self.init(.sessionFailed, detail: .notSupported, reason: fault.sentence)
        case .refused: self.init(.sessionFailed, detail: .deviceRefused, reason: fault.sentence)
        }
    }

    /// Creates the error of a playback that didn't begin.
    init(opening error: any Error) {
        switch error {
        case let error as MediaDeviceError: self = error
        case let media as UnreachableMedia:
            self.init(.sessionFailed, detail: .unreachableURL, reason: media.sentence)
        default: self.init(error as? DeviceFailure ?? .cancelled)
        }
    }

    /// Returns the error for a format that the device doesn't list.
    static func unsupported(_ mimeType: String, by name: String, _ formats: SinkFormats) -> MediaDeviceError {
        MediaDeviceError(
            .sessionFailed, detail: .unsupportedFormat,
            reason: "\(name) does not play \(mimeType). It takes \(formats.summary(like: mimeType)).")
    }
}
