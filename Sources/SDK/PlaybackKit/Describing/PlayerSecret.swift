public import Foundation
public import MediaDevice

/// A secret that authenticates the user of a device, as passed to ``PlayerProtocol/open(_:secret:)``.
public enum PlayerSecret: Sendable, Hashable {
    /// No secret: none is known, or the device needs none.
    case none
    /// The secret that an earlier activation stored.
    case stored(Data)
    /// The code or password that a person just entered.
    case entered(String)
}

/// A request for a person to enter a secret.
public struct SecretRequest: Sendable, Equatable {
    /// The kind of input.
    public let method: MediaOutputDevice.AuthorizationMethod
    /// One sentence above the prompt, such as `Enter the code shown on the television.`
    public let reason: String

    /// Creates a request.
    public init(_ method: MediaOutputDevice.AuthorizationMethod, reason: String) {
        self.method = method
        self.reason = reason
    }
}

/// An error of ``PlayerProtocol/open(_:secret:)``.
public enum PlayerOpeningError: Error, Sendable {
    /// The device requires a secret and got none, or it no longer accepts the stored one.
    case secretRequired(SecretRequest)
    /// The device rejected the secret; the reason is one sentence.
    ///
    /// - `retryAfter`: The time for which the device refuses further attempts. The kit adds it to the sentence.
    case secretRejected(reason: String, retryAfter: Duration?)
    /// Any other failure. The host retries by itself after `connectionFailed` and `deviceInUse`.
    case failed(MediaDeviceError)
}
