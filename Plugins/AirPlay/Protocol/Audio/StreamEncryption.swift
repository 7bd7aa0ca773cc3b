import Crypto
import CryptoExtras
import Foundation

/// The encryption of audio that some older receivers require.
///
/// It provides no confidentiality: all receivers have the same private key, which was published.
///
/// Source: <https://openairplay.github.io/airplay-spec/audio/airport_express_authentication.html>; RFC 8017 §7.1 (OAEP,
/// with SHA-1), AES-128-CBC of NIST SP 800-38A.
package struct StreamEncryption: Sendable {
    /// The receivers' public key; its exponent is 65,537.
    private static let modulus = """
        59dE8qLieItsH1WgjrcFRKj6eUWqi+bGLOX1HL3U3GhC/j0Qg90u3sG/1CUtwC5vOYvfDmFI6oSFXi5ELabWJmT2dKHzBJKa3k9ok+8t9ucR\
        qMd6DZHJ2YCCLlDRKSKv6kDqnw4UwPdpOMXziC/AMj3Z/lUVX1G7WSHCAWKf1zNS1eLvqr+boEjXuBOitnZ/bDzPHrTOZz0Dew0uowxf/+sG\
        +NCK3eQJVxqcaJ/vEHKIVd2M+5qL71yJQ+87X6oV3eaYvt3zWZYD6z5vYTcrtij2VZ9Zmni/UAaHqn9JdsBWLUEpVviYnhimNVvYFZeCXg/I\
        dTQ+x4IRdiXNv5hEew==
        """
    private static let exponent: [UInt8] = [1, 0, 1]
    private static let blockSize = 16

    private let key: SymmetricKey
    private let vector: [UInt8]
    /// The key as only receivers can read it.
    private let sealedKey: Data

    /// Creates a key for one stream.
    ///
    /// - Throws: ``AirPlayError/malformed(_:)`` if the library fails.
    package init() throws(AirPlayError) {
        try self.init(
            key: SymmetricKey(size: .bits128), vector: (0..<Self.blockSize).map { _ in .random(in: .min ... .max) })
    }

    init(key: SymmetricKey, vector: [UInt8]) throws(AirPlayError) {
        do {
            let modulus = Data(base64Encoded: Self.modulus) ?? Data()
            let receivers = try _RSA.Encryption.PublicKey(n: modulus, e: Self.exponent)
            sealedKey = try receivers.encrypt(key.withUnsafeBytes { Array($0) }, padding: .PKCS1_OAEP)
        } catch {
            throw .malformed("a key that cannot be made: \(error)")
        }
        self.key = key
        self.vector = vector
    }

    /// The lines of ``StreamDescription`` that say it.
    var lines: [String] {
        ["a=rsaaeskey:\(Self.text(sealedKey))", "a=aesiv:\(Self.text(Data(vector)))"]
    }

    /// Returns an audio packet with an encrypted payload, in whole blocks. Each packet is encrypted separately.
    ///
    /// - Returns: `nil` if encryption fails. The packet must not be sent unencrypted.
    func sealed(_ packet: [UInt8]) -> [UInt8]? {
        let end = packet.count - (packet.count - AudioPacket.headerSize) % Self.blockSize
        let blocks = packet[AudioPacket.headerSize..<end]
        guard let vector = try? AES._CBC.IV(ivBytes: vector),
            let sealed = try? AES._CBC.encrypt(blocks, using: key, iv: vector, noPadding: true)
        else { return nil }
        return Array(packet[..<AudioPacket.headerSize]) + sealed + packet[end...]
    }

    private static func text(_ bytes: Data) -> String { bytes.base64EncodedString().filter { $0 != "=" } }
}
