import Foundation
import HostInterface

/// Why routing media to a device failed.
///
/// Source: AVSystemRouting, iOS 27 SDK.
public struct AVSystemRoutingError: LocalizedError, Sendable {
    /// What went wrong, in the vendor's terms.
    public enum Code: Sendable, Equatable, Hashable {
        /// The link to the remote application or player could not be made, or broke.
        case connectionFailed
    }

    /// What went wrong.
    public let code: Code
    private let cause: HostError?

    /// Makes an error without further explanation.
    public init(_ code: Code) {
        self.code = code
        cause = nil
    }

    package init(_ cause: HostError) {
        code = .connectionFailed
        self.cause = cause
    }

    /// One sentence for people: the device's own reason where it gave one.
    public var errorDescription: String? { cause?.message ?? "The connection to the device failed." }
    /// The same reason as ``errorDescription``; `nil` where none is known.
    public var failureReason: String? { cause?.message }
    /// What a person can do next; `nil` where the reason says it all.
    public var recoverySuggestion: String? { cause?.remedy }
    /// Always `nil`: there is no help book on Linux.
    public var helpAnchor: String? { nil }

    /// The host's stable error slug, such as `authorization-failed`; `nil` for an error made by an app.
    ///
    /// Available on Linux only.
    public var hostCode: String? { cause?.code.rawValue }
}
