public import Foundation

/// A certificate of a peer.
public final class SecCertificate: Sendable {
    fileprivate let der: Data

    package init(der: Data) { self.der = der }
}

/// The certificates of a peer, with the system's evaluation for the requested name.
public final class SecTrust: Sendable {
    fileprivate let chain: [SecCertificate]
    fileprivate let flaw: NWError?

    package init(chain: [SecCertificate], flaw: NWError?) {
        self.chain = chain
        self.flaw = flaw
    }
}

/// The certificates of a peer, as a verification block receives them.
public final class OS_sec_trust: Sendable {
    fileprivate let trust: SecTrust

    package init(_ trust: SecTrust) { self.trust = trust }
}

/// The certificates of a peer, as a verification block receives them.
public typealias sec_trust_t = OS_sec_trust

/// Returns the retained trust object of a verification block.
public func sec_trust_copy_ref(_ trust: sec_trust_t) -> Unmanaged<SecTrust> { .passRetained(trust.trust) }

/// Returns a Boolean value that indicates whether the system trusts the certificates for the requested name.
///
/// - Parameters:
///   - trust: The trust object.
///   - error: Receives an ``NWError`` with the reason if it doesn't.
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<(any Error)?>?) -> Bool {
    error?.pointee = trust.flaw
    return trust.flaw == nil
}

/// Returns the peer's certificates, its own first.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> [SecCertificate]? { trust.chain }

/// Returns the number of the peer's certificates.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> Int { trust.chain.count }

/// Returns the DER data of a certificate.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> Data { certificate.der }

/// The metadata of a TLS handshake, for the `sec_protocol_metadata_…` functions.
public final class OS_sec_protocol_metadata: Sendable {
    fileprivate let applicationProtocol: String?
    fileprivate let serverName: String?

    package init(applicationProtocol: String?, serverName: String?) {
        self.applicationProtocol = applicationProtocol
        self.serverName = serverName
    }

    deinit { texts.write { $0.forEach { free($0) } } }

    private let texts = Locked<[UnsafeMutablePointer<CChar>]>([])

    /// Returns a copy of a text that is valid as long as the metadata.
    fileprivate func pointer(_ text: String?) -> UnsafePointer<CChar>? {
        guard let text, let copy = strdup(text) else { return nil }
        texts.write { $0.append(copy) }
        return UnsafePointer(copy)
    }
}

/// The metadata of a TLS handshake, for the `sec_protocol_metadata_…` functions.
public typealias sec_protocol_metadata_t = OS_sec_protocol_metadata

/// Returns the negotiated application protocol (ALPN), valid as long as the metadata; `nil` if there is none.
public func sec_protocol_metadata_get_negotiated_protocol(_ metadata: sec_protocol_metadata_t) -> UnsafePointer<CChar>?
{
    metadata.pointer(metadata.applicationProtocol)
}

/// Returns the requested server name, valid as long as the metadata; `nil` if there is none.
public func sec_protocol_metadata_get_server_name(_ metadata: sec_protocol_metadata_t) -> UnsafePointer<CChar>? {
    metadata.pointer(metadata.serverName)
}
