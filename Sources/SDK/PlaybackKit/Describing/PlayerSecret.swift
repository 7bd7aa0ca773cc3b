import Foundation
import MediaDevice

/// The proof that a device may be controlled, as handed to ``PlayerProtocol/open(_:secret:)``.
public enum PlayerSecret: Sendable, Hashable {
    /// Nothing is known, or the device is expected to need nothing.
    case none
    /// What an earlier activation stored.
    case stored(Data)
    /// The code or password that a person has just entered.
    case entered(String)
}

/// What a device asks a person for.
public struct SecretRequest: Sendable, Equatable {
    /// The kind of input.
    public let method: MediaOutputDevice.AuthorizationMethod
    /// One sentence above the prompt, such as `Enter the code shown on the television.`
    public let reason: String

    public init(_ method: MediaOutputDevice.AuthorizationMethod, reason: String) {
        self.method = method
        self.reason = reason
    }
}

/// Why a device could not be opened.
public enum PlayerOpeningError: Error, Sendable {
    /// The device wants a secret and got none, or does not accept the stored one any longer.
    case secretRequired(SecretRequest)
    /// The secret is wrong, in one sentence.
    ///
    /// - `retryAfter`: How long the device refuses further attempts; it is added to the sentence.
    case secretRejected(reason: String, retryAfter: Duration?)
    /// Everything else. The host tries again by itself after `connectionFailed` and `deviceInUse`.
    case failed(MediaDeviceError)
}
