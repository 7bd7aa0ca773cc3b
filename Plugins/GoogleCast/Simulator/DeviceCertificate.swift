import Crypto
import Foundation
import NIOSSL
import SwiftASN1
import X509

/// The certificate of a simulated device: signed by itself and valid for two days, as those of real devices.
enum DeviceCertificate {
    static func serverConfiguration(now: Date = Date()) throws -> TLSConfiguration {
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("A simulated Google Cast device") }
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey), notValidBefore: now - 86_400,
            notValidAfter: now + 86_400, issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions { Critical(BasicConstraints.notCertificateAuthority) },
            issuerPrivateKey: .init(key))
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(try NIOSSLCertificate(bytes: serializer.serializedBytes, format: .der))],
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.derRepresentation), format: .der)))
    }
}
