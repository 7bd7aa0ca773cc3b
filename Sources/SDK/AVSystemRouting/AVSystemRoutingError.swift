public import Foundation
package import HostInterface

/// An error that occurs while media is routed to a device.
///
/// Source: AVSystemRouting, iOS 27 SDK.
public struct AVSystemRoutingError: LocalizedError, Sendable {
    /// The kind of failure.
    public enum Code: Sendable, Equatable, Hashable {
        /// The connection to the remote application or player couldn't be made, or broke.
        case connectionFailed
    }

    /// The kind of failure.
    public let code: Code
    private let cause: HostError?

    /// Creates an error without an explanation.
    public init(_ code: Code) {
        self.code = code
        cause = nil
    }

    package init(_ cause: HostError) {
        code = .connectionFailed
        self.cause = cause
    }

    /// One sentence for people: the device's own reason if it gave one, otherwise a general one.
    public var errorDescription: String? { cause?.message ?? "The connection to the device failed." }
    /// The same reason as ``errorDescription``; `nil` if none is known.
    public var failureReason: String? { cause?.message }
    /// A suggestion for the person; `nil` if there is none.
    public var recoverySuggestion: String? { cause?.remedy }
    /// Always `nil`: there is no help book on Linux.
    public var helpAnchor: String? { nil }

    /// The host's stable error slug, such as `authorization-failed`; `nil` for an error made by an app.
    ///
    /// Available on Linux only.
    public var hostCode: String? { cause?.code.rawValue }
}
