import Crypto
import CryptoExtras
import Foundation
import SwiftASN1
import X509

/// The proof that a device is one, for senders that check it: a signature by a key that an authority has certified. The
/// authority is made for it and known to nobody, unless a sender is told, as Chromium with
/// `--cast-developer-certificate-path`.
struct DeviceSignature: Sendable {
    private static let lifetime = 30 * 86_400.0

    /// The authority's certificate in PEM.
    let authority: String
    private let certificate: [UInt8]
    private let key: _RSA.Signing.PrivateKey
    /// The certificate of the connection, which is signed.
    private let connection: [UInt8]

    init(of connection: DeviceCertificate, now: Date = Date()) throws {
        self.connection = connection.bytes
        let authorityKey = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let authorityName = try DistinguishedName { CommonName("Authority of simulated Google Cast devices") }
        let root = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(authorityKey.publicKey),
            notValidBefore: now - 86_400, notValidAfter: now + Self.lifetime, issuer: authorityName,
            subject: authorityName, signatureAlgorithm: .sha256WithRSAEncryption,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 1))
                Critical(KeyUsage(keyCertSign: true))
            }, issuerPrivateKey: .init(authorityKey))
        let device = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey), notValidBefore: now - 86_400,
            notValidAfter: now + Self.lifetime, issuer: authorityName,
            subject: try DistinguishedName { CommonName("Simulated device") },
            signatureAlgorithm: .sha256WithRSAEncryption,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.clientAuth])
            }, issuerPrivateKey: .init(authorityKey))
        authority = try root.serializeAsPEM().pemString
        certificate = try device.der
    }

    /// Returns the answer to a challenge: a `DeviceAuthMessage` with an `AuthResponse`.
    ///
    /// Source: `cast_channel.proto` of Open Screen.
    func response(to challenge: [UInt8]) throws -> [UInt8] {
        let nonce = Self.nonce(of: challenge)
        let signature = try key.signature(
            for: SHA256.hash(data: nonce + connection), padding: .insecurePKCS1v1_5)
        let response =
            Self.field(1, Array(signature.rawRepresentation)) + Self.field(2, certificate) + [0x20, 1]
            + Self.field(5, nonce) + [0x30, 1]
        return Self.field(2, response)
    }

    /// Returns the sender's number, the field 2 of the field 1; nothing if there is none.
    private static func nonce(of message: [UInt8]) -> [UInt8] {
        var rest = message.dropFirst(2)
        while let tag = rest.popFirst(), let value = rest.popFirst() {
            guard tag & 7 == 2 else { continue }
            if tag >> 3 == 2 { return Array(rest.prefix(Int(value))) }
            rest = rest.dropFirst(Int(value))
        }
        return []
    }

    private static func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
        var (length, count): ([UInt8], Int) = ([], content.count)
        while count > 0x7F {
            length.append(UInt8(count & 0x7F) | 0x80)
            count >>= 7
        }
        return [number << 3 | 2] + length + [UInt8(count)] + content
    }
}
