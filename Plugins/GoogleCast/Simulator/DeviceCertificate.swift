import Crypto
import Foundation
import NIOSSL
import SwiftASN1
import X509

/// The certificate of a simulated device: signed by itself and valid for two days, as those of real devices.
struct DeviceCertificate: Sendable {
    /// The certificate in DER.
    let bytes: [UInt8]
    private let key: P256.Signing.PrivateKey

    init(now: Date = Date()) throws {
        key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("A simulated Google Cast device") }
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey), notValidBefore: now - 86_400,
            notValidAfter: now + 86_400, issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions { Critical(BasicConstraints.notCertificateAuthority) },
            issuerPrivateKey: .init(key))
        bytes = try certificate.der
    }

    var serverConfiguration: TLSConfiguration {
        get throws {
            TLSConfiguration.makeServerConfiguration(
                certificateChain: [.certificate(try NIOSSLCertificate(bytes: bytes, format: .der))],
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.derRepresentation), format: .der)))
        }
    }
}

extension Certificate {
    var der: [UInt8] {
        get throws {
            var serializer = DER.Serializer()
            try serializer.serialize(self)
            return serializer.serializedBytes
        }
    }
}
