import Crypto
package import Foundation
package import HostInterface
package import NIOSSL
import SwiftASN1
import X509

/// The gateway's certificate, and the authority that signs it and that servers have to trust.
package struct GatewayCertificates: Sendable {
    package let folder: String

    /// - Parameter folder: There, mode 0700.
    package init(folder: String) { self.folder = folder }

    /// The path of the certificate that servers have to trust.
    package var authorityPath: String { folder + "/ca.pem" }
    private var authorityKeyPath: String { folder + "/ca-key.pem" }

    /// A certificate with what TLS needs to use it.
    package struct ServerConfiguration: Sendable {
        package let tls: TLSConfiguration
        /// Until when the certificate is valid.
        package let notAfter: Date
    }

    /// A certificate for these names, signed by the authority, which is made where there is none.
    ///
    /// - Parameter names: DNS names and numeric addresses.
    /// - Throws: ``HostError`` `storage-failed`, or `invalid-argument` for a name no certificate can have.
    package func serverConfiguration(names: [String], now: Date = Date()) throws(HostError) -> ServerConfiguration {
        let (authority, authorityKey) = try authority(names: names, now: now)
        let names = try AuthorityNames.permitted(names, by: authority, at: authorityPath)
        let notAfter = now + 397 * 86_400
        do {
            let key = P256.Signing.PrivateKey()
            let certificate = try Certificate(
                version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey),
                notValidBefore: now - 3600, notValidAfter: notAfter, issuer: authority.subject,
                subject: try DistinguishedName { CommonName(names.first { !Self.isAddress($0) } ?? "mdhost push") },
                signatureAlgorithm: .ecdsaWithSHA256,
                extensions: try Certificate.Extensions {
                    Critical(BasicConstraints.notCertificateAuthority)
                    Critical(KeyUsage(digitalSignature: true))
                    try ExtendedKeyUsage([.serverAuth])
                    SubjectAlternativeNames(names.map(Self.alternativeName))
                },
                issuerPrivateKey: .init(authorityKey))
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: [
                    .certificate(try NIOSSLCertificate(bytes: Self.bytes(certificate), format: .der))
                ],
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: [UInt8](key.derRepresentation), format: .der)))
            configuration.minimumTLSVersion = .tlsv12
            // Offered, not demanded: some providers speak HTTP/2 without saying so.
            configuration.applicationProtocols = ["h2"]
            return ServerConfiguration(tls: configuration, notAfter: notAfter)
        } catch {
            throw HostError(
                .invalidArgument,
                "No certificate can be made for \(names.joined(separator: ", ")): \(FailureReason.text(of: error))")
        }
    }

    private func authority(
        names: [String], now: Date
    ) throws(HostError) -> (Certificate, P256.Signing.PrivateKey) {
        do {
            if let text = try? String(contentsOfFile: authorityPath, encoding: .utf8),
                let keyText = try? String(contentsOfFile: authorityKeyPath, encoding: .utf8)
            {
                let certificate = try Certificate(pemEncoded: text)
                let key = try P256.Signing.PrivateKey(pemRepresentation: keyText)
                if certificate.notValidAfter > now + 400 * 86_400 { return (certificate, key) }
            }
            let key = P256.Signing.PrivateKey()
            let name = try DistinguishedName {
                CommonName("mdhost push on \(ProcessInfo.processInfo.hostName.prefix(40))")
            }
            let certificate = try Certificate(
                version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey), notValidBefore: now - 3600,
                notValidAfter: now + 3650 * 86_400, issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
                extensions: try Certificate.Extensions {
                    Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                    Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                    // Servers trust it for these and nothing else, should its key be stolen.
                    Critical(AuthorityNames.constraints(names))
                },
                issuerPrivateKey: .init(key))
            try PrivateFile.write(Data((key.pemRepresentation + "\n").utf8), to: authorityKeyPath)
            try PrivateFile.write(Data((certificate.serializeAsPEM().pemString + "\n").utf8), to: authorityPath)
            return (certificate, key)
        } catch {
            throw error as? HostError
                ?? HostError(
                    .storageFailed,
                    "The gateway's authority in \(folder) cannot be used: \(FailureReason.text(of: error))")
        }
    }

    private static func bytes(_ certificate: Certificate) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }

    /// An address as the common name would be taken for a DNS name, which the authority may not sign for.
    private static func isAddress(_ name: String) -> Bool {
        if case .ipAddress = alternativeName(name) { true } else { false }
    }

    static func alternativeName(_ name: String) -> GeneralName {
        var four = in_addr()
        if inet_pton(AF_INET, name, &four) == 1 {
            return .ipAddress(ASN1OctetString(contentBytes: withUnsafeBytes(of: four) { ArraySlice($0) }))
        }
        var six = in6_addr()
        if inet_pton(AF_INET6, name, &six) == 1 {
            return .ipAddress(ASN1OctetString(contentBytes: withUnsafeBytes(of: six) { ArraySlice($0) }))
        }
        return .dnsName(name)
    }
}
