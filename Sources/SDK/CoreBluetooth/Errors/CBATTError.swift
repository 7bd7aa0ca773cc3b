public import Foundation

/// An error that a peripheral returns for an attribute (Bluetooth Core Specification, 3.F, 3.4.1.1).
public struct CBATTError: Error, Sendable, Hashable, LocalizedError {
    /// The error codes of the Attribute Protocol.
    public enum Code: Int, Sendable, Hashable, CaseIterable {
        /// No error.
        case success = 0x00
        /// The attribute handle is invalid.
        case invalidHandle
        /// The attribute can't be read.
        case readNotPermitted
        /// The attribute can't be written.
        case writeNotPermitted
        /// The request is malformed.
        case invalidPdu
        /// The attribute requires authentication.
        case insufficientAuthentication
        /// The peripheral doesn't support the request.
        case requestNotSupported
        /// The offset is beyond the end of the value.
        case invalidOffset
        /// The attribute requires authorization.
        case insufficientAuthorization
        /// Too many prepared writes are queued.
        case prepareQueueFull
        /// The attribute doesn't exist.
        case attributeNotFound
        /// The attribute can't be read or written in parts.
        case attributeNotLong
        /// The encryption key is too short.
        case insufficientEncryptionKeySize
        /// The length of the value is invalid.
        case invalidAttributeValueLength
        /// The peripheral failed for an unknown reason.
        case unlikelyError
        /// The attribute requires encryption.
        case insufficientEncryption
        /// The attribute type isn't a grouping type.
        case unsupportedGroupType
        /// The peripheral lacks resources.
        case insufficientResources
    }

    /// The error code.
    public let code: Code
    /// The reason as one sentence.
    public let message: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The error code.
    ///   - message: The reason as one sentence; empty for a general one.
    public init(_ code: Code, _ message: String = "") {
        self.code = code
        self.message = message.isEmpty ? "The peripheral refused the request (\(code))." : message
    }

    /// The reason as one sentence.
    public var errorDescription: String? { message }

    /// The error domain on Apple's systems.
    public static let errorDomain = "CBATTErrorDomain"
    /// The code ``Code/invalidHandle``.
    public static var invalidHandle: Code { .invalidHandle }
    /// The code ``Code/readNotPermitted``.
    public static var readNotPermitted: Code { .readNotPermitted }
    /// The code ``Code/writeNotPermitted``.
    public static var writeNotPermitted: Code { .writeNotPermitted }
    /// The code ``Code/insufficientAuthentication``.
    public static var insufficientAuthentication: Code { .insufficientAuthentication }
    /// The code ``Code/insufficientAuthorization``.
    public static var insufficientAuthorization: Code { .insufficientAuthorization }
    /// The code ``Code/insufficientEncryption``.
    public static var insufficientEncryption: Code { .insufficientEncryption }
    /// The code ``Code/attributeNotFound``.
    public static var attributeNotFound: Code { .attributeNotFound }
    /// The code ``Code/unlikelyError``.
    public static var unlikelyError: Code { .unlikelyError }
}

extension CBATTError.Code {
    /// Returns a Boolean value that indicates whether an error has this code, for `catch CBATTError.readNotPermitted`.
    public static func ~= (code: Self, error: any Error) -> Bool { (error as? CBATTError)?.code == code }
}
