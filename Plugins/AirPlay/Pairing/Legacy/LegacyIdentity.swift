package import Crypto
import Foundation

/// The identity of this computer for a device with the older pairing, and that of the device.
package struct LegacyIdentity: Sendable {
    /// 16 hexadecimal digits.
    package let identifier: String
    let key: Curve25519.Signing.PrivateKey
    /// The device's public signing key of 32 bytes, if it sent one.
    package var deviceKey: [UInt8]?

    package init(identifier: String, key: Curve25519.Signing.PrivateKey = .init(), deviceKey: [UInt8]? = nil) {
        self.identifier = identifier
        self.key = key
        self.deviceKey = deviceKey
    }

    /// Returns a new random identity.
    package static func random() -> LegacyIdentity {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16, uppercase: true)
        return LegacyIdentity(identifier: String(repeating: "0", count: 16 - digits.count) + digits)
    }

    var publicKey: [UInt8] { Array(key.publicKey.rawRepresentation) }
}

/// The keys of the older pairing.
enum LegacyCipher {
    /// Returns 16 bytes for one purpose.
    static func bytes(_ purpose: String, _ secret: [UInt8]) -> [UInt8] {
        var hash = SHA512()
        hash.update(data: Data(purpose.utf8))
        hash.update(data: secret)
        return Array(hash.finalize().prefix(16))
    }
}
