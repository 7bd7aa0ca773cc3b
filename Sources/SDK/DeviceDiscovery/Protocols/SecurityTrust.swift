import Foundation

/// A certificate of a peer.
public final class SecCertificate: Sendable {
    fileprivate let der: Data

    package init(der: Data) { self.der = der }
}

/// A peer's certificates, and whether the system trusts them for the name that was asked for.
public final class SecTrust: Sendable {
    fileprivate let chain: [SecCertificate]
    fileprivate let flaw: NWError?

    package init(chain: [SecCertificate], flaw: NWError?) {
        self.chain = chain
        self.flaw = flaw
    }
}

/// A peer's certificates as a verification block gets them.
public final class OS_sec_trust: Sendable {
    fileprivate let trust: SecTrust

    package init(_ trust: SecTrust) { self.trust = trust }
}

public typealias sec_trust_t = OS_sec_trust

/// The trust object of a verification block.
public func sec_trust_copy_ref(_ trust: sec_trust_t) -> Unmanaged<SecTrust> { .passRetained(trust.trust) }

/// Returns whether the system trusts the certificates for the name that was asked for.
///
/// - Parameter error: Gets the reason where it does not; an ``NWError``.
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<(any Error)?>?) -> Bool {
    error?.pointee = trust.flaw
    return trust.flaw == nil
}

/// Returns the peer's certificates, its own first.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> [SecCertificate]? { trust.chain }

/// Returns the number of the peer's certificates.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> Int { trust.chain.count }

/// Returns a certificate in DER.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> Data { certificate.der }

/// The outcome of a TLS handshake; read by the functions `sec_protocol_metadata_…`.
public final class OS_sec_protocol_metadata: Sendable {
    fileprivate let applicationProtocol: String?
    fileprivate let serverName: String?

    package init(applicationProtocol: String?, serverName: String?) {
        self.applicationProtocol = applicationProtocol
        self.serverName = serverName
    }

    deinit { texts.write { $0.forEach { free($0) } } }

    private let texts = Locked<[UnsafeMutablePointer<CChar>]>([])

    /// Valid as long as the metadata is.
    fileprivate func pointer(_ text: String?) -> UnsafePointer<CChar>? {
        guard let text, let copy = strdup(text) else { return nil }
        texts.write { $0.append(copy) }
        return UnsafePointer(copy)
    }
}

public typealias sec_protocol_metadata_t = OS_sec_protocol_metadata

/// Returns the application protocol that both sides chose (ALPN), valid as long as the metadata; `nil` without one.
public func sec_protocol_metadata_get_negotiated_protocol(_ metadata: sec_protocol_metadata_t) -> UnsafePointer<CChar>?
{
    metadata.pointer(metadata.applicationProtocol)
}

/// Returns the name that the server was asked for, valid as long as the metadata; `nil` without one.
public func sec_protocol_metadata_get_server_name(_ metadata: sec_protocol_metadata_t) -> UnsafePointer<CChar>? {
    metadata.pointer(metadata.serverName)
}
