import Foundation
import HostInterface
import PlaybackMirroring

/// Why discovery, an activation or a session failed.
public struct MediaDeviceError: LocalizedError, Sendable {
    public enum Code: Sendable, Equatable, Hashable {
        /// Discovery itself could not run; not for "nothing found".
        case discoveryFailed
        /// The device does not answer.
        case connectionFailed
        /// Somebody else uses the device, and it does not share.
        case deviceInUse
        /// Wrong code or password, or the person cancelled.
        case authorizationFailed
        /// The session ended and cannot be continued.
        case sessionFailed
    }

    /// A closer reason than ``Code``, which scripts and people see in its place. Only on Linux; the set is open.
    public struct Detail: RawRepresentable, Sendable, Hashable {
        /// Lower-case words joined by hyphens, e.g. `unsupported-format`.
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// The device needs a code or a password first.
        public static let authorizationRequired = Detail(.authorizationRequired)
        /// The device answered, and said no.
        public static let deviceRefused = Detail(.deviceRefused)
        /// The device cannot do this at all.
        public static let notSupported = Detail(.notSupported)
        /// The device could not connect back to this machine.
        public static let reverseConnectionBlocked = Detail(.reverseConnectionBlocked)
        /// The device did not answer in time.
        public static let timedOut = Detail(.timedOut)
        /// The device cannot open the media's address.
        public static let unreachableURL = Detail(.unreachableURL)
        /// The device does not play this format.
        public static let unsupportedFormat = Detail(.unsupportedFormat)

        private init(_ code: HostError.Code) { rawValue = code.rawValue }
    }

    public let code: MediaDeviceError.Code
    /// The device's own sentence, if it gave one. Only on Linux.
    public let reason: String?
    /// Only on Linux.
    public let detail: Detail?

    public init(_ code: MediaDeviceError.Code) {
        self.code = code
        reason = nil
        detail = nil
    }

    /// An error that carries the device's own words to the person. Only on Linux.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - detail: A closer reason, where there is one.
    ///   - reason: One sentence for people, e.g. `The television says: wait 30 seconds.`
    public init(_ code: MediaDeviceError.Code, detail: Detail? = nil, reason: String) {
        self.code = code
        self.reason = reason
        self.detail = detail
    }

    /// What failed, one sentence.
    public var errorDescription: String? {
        switch code {
        case .discoveryFailed: "Devices could not be looked for."
        case .connectionFailed: "The device could not be reached."
        case .deviceInUse: "The device is in use."
        case .authorizationFailed: "The device did not accept the authorization."
        case .sessionFailed: "Playback on the device failed."
        }
    }

    /// The device's own sentence.
    public var failureReason: String? { reason }

    /// What to do next, one sentence.
    public var recoverySuggestion: String? { asHostError.remedy }

    /// Always `nil`.
    public var helpAnchor: String? { nil }
}

extension MediaDeviceError: HostErrorConvertible {
    package var asHostError: HostError {
        HostError(
            detail.map { HostError.Code(rawValue: $0.rawValue) } ?? code.onLink,
            reason ?? errorDescription ?? "The device failed.")
    }
}

extension MediaDeviceError.Code {
    fileprivate var onLink: HostError.Code {
        switch self {
        case .discoveryFailed: .discoveryFailed
        case .connectionFailed: .unreachable
        case .deviceInUse: .deviceInUse
        case .authorizationFailed: .authorizationFailed
        case .sessionFailed: .sessionFailed
        }
    }
}
