import NIOCore
import NIOSSL

/// The encryption of a connection.
public enum ConnectionSecurity: Sendable, Hashable {
    /// Plain TCP.
    case plain
    /// TLS 1.2 or newer.
    case tls(CertificateTrust)

    /// The certificates that a TLS connection accepts from the device.
    ///
    /// Devices of a home network rarely have a certificate that an authority signed for their address, so neither
    /// choice asks the system's authorities.
    public enum CertificateTrust: Sendable, Hashable {
        /// Accepts any certificate. This protects from listeners, but not from a machine that poses as the device. Use it
        /// only where the protocol gives the device no lasting certificate.
        case anyCertificate
        /// Accepts only this certificate, in DER. Another one ends the connection with
        /// ``TransportFailure/disconnected(_:)``.
        case pinned([UInt8])
    }

    func makeHandler() throws -> NIOSSLClientHandler? {
        guard case .tls(let trust) = self else { return nil }
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        switch trust {
        case .anyCertificate:
            configuration.certificateVerification = .none
            return try NIOSSLClientHandler(context: NIOSSLContext(configuration: configuration), serverHostname: nil)
        case .pinned(let certificate):
            // Verification has to be on for the callback to be called, which then takes its place.
            configuration.certificateVerification = .noHostnameVerification
            return try NIOSSLClientHandler(context: NIOSSLContext(configuration: configuration), serverHostname: nil) {
                certificates, promise in
                let isPinned = (try? certificates.first?.toDERBytes()) == certificate
                promise.succeed(isPinned ? .certificateVerified : .failed)
            }
        }
    }
}
