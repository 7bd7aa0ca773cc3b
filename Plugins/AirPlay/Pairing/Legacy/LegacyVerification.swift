package import Crypto
import CryptoExtras
import Foundation

/// The verification of the older pairing (`/pair-verify`) in two requests.
///
/// Source: the protocol as receivers implement it; RFC 7748, RFC 8032, AES-CTR of NIST SP 800-38A.
package struct LegacyVerification: Sendable {
    private let identity: LegacyIdentity
    private let key: Curve25519.KeyAgreement.PrivateKey

    package init(as identity: LegacyIdentity, key: Curve25519.KeyAgreement.PrivateKey = .init()) {
        self.identity = identity
        self.key = key
    }

    private var publicKey: [UInt8] { Array(key.publicKey.rawRepresentation) }

    package var first: [UInt8] { [1, 0, 0, 0] + publicKey + identity.publicKey }

    /// Processes the device's answer to the first request.
    ///
    /// - Returns: The second request. The device's answer to it is empty.
    /// - Throws: ``PairingError``. The verification has ended then.
    package func received(_ answer: [UInt8]) throws(PairingError) -> [UInt8] {
        // UxPlay answers an unknown key with an empty body.
        if answer.isEmpty { throw .refused }
        guard answer.count == 96 else { throw .malformed("\(answer.count) bytes of verification") }
        let (theirs, sealed) = (Array(answer.prefix(32)), answer.suffix(64))
        guard let other = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: theirs),
            let shared = try? key.sharedSecretFromKeyAgreement(with: other)
        else { throw .malformed("no public key") }
        let secret = shared.withUnsafeBytes { Array($0) }
        // One stream of key bytes: the device has used the first 64.
        let stream = try Self.stream(secret, count: 128)
        if let deviceKey = identity.deviceKey {
            let signature = zip(sealed, stream).map { $0 ^ $1 }
            try PairedDevice(identifier: [], publicKey: deviceKey).verify(signature, theirs, publicKey)
        }
        do {
            let signature = try identity.key.signature(for: Data(publicKey + theirs))
            return [0, 0, 0, 0] + zip(signature, stream.suffix(64)).map { $0 ^ $1 }
        } catch {
            throw .malformed("a message that cannot be signed")
        }
    }

    static func stream(_ secret: [UInt8], count: Int) throws(PairingError) -> [UInt8] {
        do {
            let nonce = try AES._CTR.Nonce(nonceBytes: LegacyCipher.bytes("Pair-Verify-AES-IV", secret))
            let key = SymmetricKey(data: LegacyCipher.bytes("Pair-Verify-AES-Key", secret))
            return Array(try AES._CTR.encrypt([UInt8](repeating: 0, count: count), using: key, nonce: nonce))
        } catch {
            throw .malformed("a message that cannot be encrypted")
        }
    }
}
