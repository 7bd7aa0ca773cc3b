public import Foundation

/// An error on this side of the connection.
public struct CBError: Error, Sendable, Hashable, LocalizedError {
    /// The kind of error.
    public enum Code: Int, Sendable, Hashable, CaseIterable {
        /// An unknown error.
        case unknown = 0
        /// The parameters are invalid.
        case invalidParameters
        /// The attribute no longer exists. Discover the services again.
        case invalidHandle
        /// The peripheral isn't connected. Connect it first.
        case notConnected
        /// There is no space left.
        case outOfSpace
        /// The operation was cancelled.
        case operationCancelled
        /// The peripheral didn't answer in time.
        case connectionTimeout
        /// The peripheral ended the connection.
        case peripheralDisconnected
        /// The UUID isn't allowed.
        case uuidNotAllowed
        /// Advertising has already started.
        case alreadyAdvertising
        /// The connection couldn't be made.
        case connectionFailed
        /// Too many peripherals are connected.
        case connectionLimitReached
        /// The peripheral isn't known. Scan for it first.
        case unknownDevice
        /// The peripheral or the host doesn't support the operation.
        case operationNotSupported
        /// The peripheral has deleted the pairing. Pair it again.
        case peerRemovedPairingInformation
        /// Encryption didn't succeed in time.
        case encryptionTimedOut
        /// Too many LE peripherals are paired.
        case tooManyLEPairedDevices
    }

    /// The kind of error.
    public let code: Code
    /// The reason as one sentence.
    public let message: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - message: The reason as one sentence; empty for that of the code.
    public init(_ code: Code, _ message: String = "") {
        self.code = code
        self.message = message.isEmpty ? code.sentence : message
    }

    /// The reason as one sentence.
    public var errorDescription: String? { message }

    /// The error domain on Apple's systems.
    public static let errorDomain = "CBErrorDomain"
    /// The code ``Code/unknown``.
    public static var unknown: Code { .unknown }
    /// The code ``Code/invalidParameters``.
    public static var invalidParameters: Code { .invalidParameters }
    /// The code ``Code/invalidHandle``.
    public static var invalidHandle: Code { .invalidHandle }
    /// The code ``Code/notConnected``.
    public static var notConnected: Code { .notConnected }
    /// The code ``Code/operationCancelled``.
    public static var operationCancelled: Code { .operationCancelled }
    /// The code ``Code/connectionTimeout``.
    public static var connectionTimeout: Code { .connectionTimeout }
    /// The code ``Code/peripheralDisconnected``.
    public static var peripheralDisconnected: Code { .peripheralDisconnected }
    /// The code ``Code/connectionFailed``.
    public static var connectionFailed: Code { .connectionFailed }
    /// The code ``Code/operationNotSupported``.
    public static var operationNotSupported: Code { .operationNotSupported }
}

extension CBError.Code {
    fileprivate var sentence: String {
        switch self {
        case .unknown: "An unknown Bluetooth error occurred."
        case .invalidParameters: "The request's parameters are invalid."
        case .invalidHandle: "The peripheral no longer has this attribute."
        case .notConnected: "The peripheral is not connected."
        case .outOfSpace: "There is no space left."
        case .operationCancelled: "The operation was cancelled."
        case .connectionTimeout: "The peripheral did not answer in time."
        case .peripheralDisconnected: "The peripheral ended the connection."
        case .uuidNotAllowed: "This UUID may not be used."
        case .alreadyAdvertising: "Advertising has already started."
        case .connectionFailed: "The peripheral could not be connected."
        case .connectionLimitReached: "There are too many connections."
        case .unknownDevice: "No such peripheral is known."
        case .operationNotSupported: "The peripheral doesn't support this."
        case .peerRemovedPairingInformation: "The peripheral has forgotten the pairing."
        case .encryptionTimedOut: "The connection could not be encrypted in time."
        case .tooManyLEPairedDevices: "Too many peripherals are paired."
        }
    }
}

extension CBError.Code {
    /// Returns a Boolean value that indicates whether an error has this code, for `catch CBError.notConnected`.
    public static func ~= (code: Self, error: any Error) -> Bool { (error as? CBError)?.code == code }
}
