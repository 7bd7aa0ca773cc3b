import Crypto
import Foundation
import SwiftASN1
import X509

/// An authority and a certificate for 127.0.0.1, as files for a broker: `ca.crt`, `broker.crt` and `broker.key`.
enum BrokerCertificates {
    static func write(to folder: String, now: Date = Date()) throws {
        let (authorityKey, key) = (P256.Signing.PrivateKey(), P256.Signing.PrivateKey())
        let name = try DistinguishedName { CommonName("A broker's authority") }
        let authority = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(authorityKey.publicKey), notValidBefore: now - 3600,
            notValidAfter: now + 86_400, issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true))
            },
            issuerPrivateKey: .init(authorityKey))
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey), notValidBefore: now - 3600,
            notValidAfter: now + 86_400, issuer: name,
            subject: try DistinguishedName { CommonName("A broker") }, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames([.ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1]))])
            },
            issuerPrivateKey: .init(authorityKey))
        for (file, text) in [
            ("ca.crt", try authority.serializeAsPEM().pemString),
            ("broker.crt", try certificate.serializeAsPEM().pemString), ("broker.key", key.pemRepresentation),
        ] {
            try Data((text + "\n").utf8).write(to: URL(filePath: folder + "/" + file))
        }
    }
}
