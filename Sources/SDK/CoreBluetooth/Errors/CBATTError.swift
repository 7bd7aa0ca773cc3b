import Foundation

/// An error that a peripheral returns for an attribute (Bluetooth Core Specification, 3.F, 3.4.1.1).
public struct CBATTError: Error, Sendable, Hashable, LocalizedError {
    /// The error codes of the Attribute Protocol.
    public enum Code: Int, Sendable, Hashable, CaseIterable {
        case success = 0x00
        case invalidHandle
        case readNotPermitted
        case writeNotPermitted
        case invalidPdu
        case insufficientAuthentication
        case requestNotSupported
        case invalidOffset
        case insufficientAuthorization
        case prepareQueueFull
        case attributeNotFound
        case attributeNotLong
        case insufficientEncryptionKeySize
        case invalidAttributeValueLength
        case unlikelyError
        case insufficientEncryption
        case unsupportedGroupType
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
        self.message = message.isEmpty ? "The peripheral refused it (\(code))." : message
    }

    public var errorDescription: String? { message }

    /// The error domain on Apple's systems.
    public static let errorDomain = "CBATTErrorDomain"
    public static var invalidHandle: Code { .invalidHandle }
    public static var readNotPermitted: Code { .readNotPermitted }
    public static var writeNotPermitted: Code { .writeNotPermitted }
    public static var insufficientAuthentication: Code { .insufficientAuthentication }
    public static var insufficientAuthorization: Code { .insufficientAuthorization }
    public static var insufficientEncryption: Code { .insufficientEncryption }
    public static var attributeNotFound: Code { .attributeNotFound }
    public static var unlikelyError: Code { .unlikelyError }
}

extension CBATTError.Code {
    /// Returns a Boolean value that indicates whether an error has this code, for `catch CBATTError.readNotPermitted`.
    public static func ~= (code: Self, error: any Error) -> Bool { (error as? CBATTError)?.code == code }
}
