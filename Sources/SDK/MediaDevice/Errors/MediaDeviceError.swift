public import Foundation
package import HostInterface
import PlaybackMirroring

/// An error of discovery, an activation or a session.
public struct MediaDeviceError: LocalizedError, Sendable {
    /// The kind of failure.
    public enum Code: Sendable, Equatable, Hashable {
        /// Discovery couldn't run. Don't use it if discovery finds nothing.
        case discoveryFailed
        /// The device didn't answer.
        case connectionFailed
        /// Another client uses the device, which doesn't share.
        case deviceInUse
        /// The code or password was wrong, or the person cancelled.
        case authorizationFailed
        /// The session ended and can't continue.
        case sessionFailed
    }

    /// A more specific reason than ``Code``, which scripts and people see instead. Available on Linux only. The set is
    /// open.
    public struct Detail: RawRepresentable, Sendable, Hashable {
        /// The reason as lower-case words joined by hyphens, such as `unsupported-format`.
        public let rawValue: String

        /// Creates a reason from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The device requires a code or password first.
        public static let authorizationRequired = Detail(.authorizationRequired)
        /// The device answered and refused.
        public static let deviceRefused = Detail(.deviceRefused)
        /// The device doesn't support the request.
        public static let notSupported = Detail(.notSupported)
        /// The device couldn't connect back to this computer.
        public static let reverseConnectionBlocked = Detail(.reverseConnectionBlocked)
        /// The device didn't answer in time.
        public static let timedOut = Detail(.timedOut)
        /// The device couldn't open the URL of the media.
        public static let unreachableURL = Detail(.unreachableURL)
        /// The device can't play this format.
        public static let unsupportedFormat = Detail(.unsupportedFormat)

        private init(_ code: HostError.Code) { rawValue = code.rawValue }
    }

    /// The kind of failure.
    public let code: MediaDeviceError.Code
    /// The device's own reason as one sentence; `nil` if it gave none. Available on Linux only.
    public let reason: String?
    /// A more specific reason; `nil` if there is none. Available on Linux only.
    public let detail: Detail?

    /// Creates an error without a reason.
    public init(_ code: MediaDeviceError.Code) {
        self.code = code
        reason = nil
        detail = nil
    }

    /// Creates an error with the device's own reason. Available on Linux only.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - detail: A more specific reason, if there is one.
    ///   - reason: One sentence for people, such as `The television says: wait 30 seconds.`
    public init(_ code: MediaDeviceError.Code, detail: Detail? = nil, reason: String) {
        self.code = code
        self.reason = reason
        self.detail = detail
    }

    /// The failure as one sentence.
    public var errorDescription: String? {
        switch code {
        case .discoveryFailed: "Couldn't discover devices."
        case .connectionFailed: "The device could not be reached."
        case .deviceInUse: "The device is in use."
        case .authorizationFailed: "The device did not accept the authorization."
        case .sessionFailed: "Playback on the device failed."
        }
    }

    /// The device's own reason; `nil` if it gave none.
    public var failureReason: String? { reason }

    /// The next step for the person as one sentence; `nil` if there is none.
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
