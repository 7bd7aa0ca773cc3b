package import MediaDevice
package import MediaReading

extension MediaDeviceError {
    /// Creates the error of media that can't be read.
    package init(_ error: DecodingError) {
        let detail: Detail? =
            switch error {
            case .unreadable, .untrusted: .unreachableURL
            case .unsupported, .noAudio: .unsupportedFormat
            case .cancelled: nil
            }
        self.init(.sessionFailed, detail: detail, reason: error.sentence)
    }
}
