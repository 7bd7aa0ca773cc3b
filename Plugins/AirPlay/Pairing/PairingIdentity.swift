package import Crypto
import Foundation

/// The identity of this computer for paired devices.
package struct PairingIdentity: Sendable {
    /// Text that stays the same, such as a UUID.
    package let identifier: [UInt8]
    let key: Curve25519.Signing.PrivateKey

    package init(identifier: String, key: Curve25519.Signing.PrivateKey = .init()) {
        self.identifier = Array(identifier.utf8)
        self.key = key
    }

    var publicKey: [UInt8] { Array(key.publicKey.rawRepresentation) }

    /// Returns a new random identity.
    package static func random() -> PairingIdentity { PairingIdentity(identifier: UUID().uuidString) }

    func signature(_ parts: [UInt8]...) throws(PairingError) -> [UInt8] {
        do {
            return Array(try key.signature(for: Data(parts.joined())))
        } catch {
            throw .malformed("a message that cannot be signed")
        }
    }
}

/// A device that this machine is paired with.
package struct PairedDevice: Sendable, Hashable {
    package let identifier: [UInt8]
    /// Ed25519, 32 bytes.
    package let publicKey: [UInt8]

    package init(identifier: [UInt8], publicKey: [UInt8]) {
        self.identifier = identifier
        self.publicKey = publicKey
    }

    /// Verifies a signature.
    ///
    /// - Throws: ``PairingError/unproved`` if another key made it.
    func verify(_ signature: [UInt8], _ parts: [UInt8]...) throws(PairingError) {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey),
            key.isValidSignature(signature, for: Data(parts.joined()))
        else { throw .unproved }
    }
}
