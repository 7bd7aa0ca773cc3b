import Foundation

/// An error on this side of the connection.
public struct CBError: Error, Sendable, Hashable, LocalizedError {
    /// The kind of error.
    public enum Code: Int, Sendable, Hashable, CaseIterable {
        case unknown = 0
        case invalidParameters
        case invalidHandle
        case notConnected
        case outOfSpace
        case operationCancelled
        case connectionTimeout
        case peripheralDisconnected
        case uuidNotAllowed
        case alreadyAdvertising
        case connectionFailed
        case connectionLimitReached
        case unknownDevice
        case operationNotSupported
        case peerRemovedPairingInformation
        case encryptionTimedOut
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

    public var errorDescription: String? { message }

    /// The error domain on Apple's systems.
    public static let errorDomain = "CBErrorDomain"
    public static var unknown: Code { .unknown }
    public static var invalidParameters: Code { .invalidParameters }
    public static var invalidHandle: Code { .invalidHandle }
    public static var notConnected: Code { .notConnected }
    public static var operationCancelled: Code { .operationCancelled }
    public static var connectionTimeout: Code { .connectionTimeout }
    public static var peripheralDisconnected: Code { .peripheralDisconnected }
    public static var connectionFailed: Code { .connectionFailed }
    public static var operationNotSupported: Code { .operationNotSupported }
}

extension CBError.Code {
    fileprivate var sentence: String {
        switch self {
        case .unknown: "Something went wrong that nobody has a name for."
        case .invalidParameters: "What was asked for makes no sense."
        case .invalidHandle: "The peripheral has no such attribute any more."
        case .notConnected: "The peripheral is not connected."
        case .outOfSpace: "There is no room for it."
        case .operationCancelled: "It was cancelled."
        case .connectionTimeout: "The peripheral did not answer in time."
        case .peripheralDisconnected: "The peripheral ended the connection."
        case .uuidNotAllowed: "This UUID may not be used."
        case .alreadyAdvertising: "It is announced already."
        case .connectionFailed: "The peripheral could not be connected."
        case .connectionLimitReached: "There are too many connections."
        case .unknownDevice: "No such peripheral is known."
        case .operationNotSupported: "This cannot be done with it."
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
