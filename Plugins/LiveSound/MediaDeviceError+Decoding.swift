import MediaDevice
import MediaReading

extension MediaDeviceError {
    /// Creates the error of media that can't be read.
    package init(_ error: DecodingError) {
        switch error {
        case .unreadable(let reason):
            self.init(.sessionFailed, detail: .unreachableURL, reason: "The media cannot be read: \(reason).")
        case .untrusted(let server):
            self.init(
                .sessionFailed, detail: .unreachableURL,
                reason: """
                    The certificate of \(server) isn't trusted. If the server is yours, accept it: \
                    mdhost certificate accept \(server)
                    """)
        case .unsupported(let reason):
            self.init(.sessionFailed, detail: .unsupportedFormat, reason: "The media cannot be decoded: \(reason).")
        case .noAudio:
            self.init(.sessionFailed, detail: .unsupportedFormat, reason: "There is no sound in the media.")
        case .cancelled: self.init(.sessionFailed, reason: "Playback was stopped.")
        }
    }
}
