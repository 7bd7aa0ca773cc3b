import Crypto
import Foundation

/// Who this machine is to a device it is paired with by the older pairing, and who the device is.
package struct LegacyIdentity: Sendable {
    /// 16 hexadecimal digits.
    package let identifier: String
    let key: Curve25519.Signing.PrivateKey
    /// The device's key for signatures, where it told one while pairing; 32 bytes.
    package var deviceKey: [UInt8]?

    package init(identifier: String, key: Curve25519.Signing.PrivateKey = .init(), deviceKey: [UInt8]? = nil) {
        self.identifier = identifier
        self.key = key
        self.deviceKey = deviceKey
    }

    /// One that nobody has.
    package static func random() -> LegacyIdentity {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16, uppercase: true)
        return LegacyIdentity(identifier: String(repeating: "0", count: 16 - digits.count) + digits)
    }

    var publicKey: [UInt8] { Array(key.publicKey.rawRepresentation) }
}

/// The keys of the older pairing.
enum LegacyCipher {
    /// 16 bytes for one purpose.
    static func bytes(_ purpose: String, _ secret: [UInt8]) -> [UInt8] {
        var hash = SHA512()
        hash.update(data: Data(purpose.utf8))
        hash.update(data: secret)
        return Array(hash.finalize().prefix(16))
    }
}
