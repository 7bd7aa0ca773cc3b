import Crypto
import Foundation

/// A random secret, of which the server keeps only the hash.
enum PageSecret {
    /// Returns 256 random bits as 43 characters of base64url.
    static func make() -> String {
        SymmetricKey(size: .bits256).withUnsafeBytes { bytes in
            Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
                "=", with: "")
        }
    }

    /// Returns six random digits, for people to compare.
    static func makeCode() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<6).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
    }

    /// Returns the SHA-256 hash, in hexadecimal.
    ///
    /// Hashes are safe to store because the secrets are random.
    static func hash(_ secret: String) -> String {
        SHA256.hash(data: Data(secret.utf8)).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    /// Compares two hashes in a time that doesn't depend on where they differ.
    static func isEqual(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
