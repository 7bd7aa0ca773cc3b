import Crypto
import Foundation

/// The keys that pairing derives from a shared secret, and the encryption with them.
///
/// Source: HomeKit Accessory Protocol Specification (non-commercial), "Pairing"; RFC 5869, RFC 8439.
enum PairingCipher {
    /// Derives a key of 32 bytes for one purpose.
    static func key(_ secret: [UInt8], salt: String, info: String) -> SymmetricKey {
        HKDF<SHA512>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), salt: Data(salt.utf8), info: Data(info.utf8),
            outputByteCount: 32)
    }

    /// Returns the ciphertext, followed by its tag of 16 bytes.
    ///
    /// - Parameter message: Eight letters that name the message.
    static func seal(_ plain: [UInt8], _ message: String, key: SymmetricKey) throws(PairingError) -> [UInt8] {
        do {
            let box = try ChaChaPoly.seal(plain, using: key, nonce: try nonce(message))
            return Array(box.ciphertext + box.tag)
        } catch {
            throw .malformed("\(message) cannot be encrypted")
        }
    }

    /// Decrypts data.
    ///
    /// - Throws: ``PairingError/unproved`` if the data was encrypted with another key, or changed.
    static func open(_ sealed: [UInt8], _ message: String, key: SymmetricKey) throws(PairingError) -> [UInt8] {
        do {
            let box = try ChaChaPoly.SealedBox(
                nonce: try nonce(message), ciphertext: sealed.dropLast(16), tag: sealed.suffix(16))
            return Array(try ChaChaPoly.open(box, using: key))
        } catch {
            throw .unproved
        }
    }

    private static func nonce(_ message: String) throws -> ChaChaPoly.Nonce {
        try ChaChaPoly.Nonce(data: Data(count: 4) + Data(message.utf8))
    }
}

extension SymmetricKey {
    var bytes: [UInt8] { withUnsafeBytes { Array($0) } }
}
