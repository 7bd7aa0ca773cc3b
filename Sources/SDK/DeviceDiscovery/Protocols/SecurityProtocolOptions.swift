public import Dispatch
public import Foundation

/// A version of TLS.
public enum tls_protocol_version_t: UInt16, Hashable, Sendable {
    /// TLS 1.0.
    case TLSv10 = 0x0301
    /// TLS 1.1.
    case TLSv11
    /// TLS 1.2.
    case TLSv12
    /// TLS 1.3.
    case TLSv13
}

/// The options of TLS, for the `sec_protocol_options_…` functions.
public final class OS_sec_protocol_options: Sendable {
    package struct Values: Sendable {
        package var serverName: String?
        package var applicationProtocols: [String] = []
        package var minimumVersion: tls_protocol_version_t?
        package var maximumVersion: tls_protocol_version_t?
        package var requiresPeerAuthentication: Bool?
        package var verification: (queue: DispatchQueue, block: sec_protocol_verify_t)?
        package var identity: sec_identity_t?
    }
    fileprivate let storage = Locked(Values())

    init() {}

    package var values: Values { storage.read { $0 } }
}

/// The options of TLS, for the `sec_protocol_options_…` functions.
public typealias sec_protocol_options_t = OS_sec_protocol_options

/// A closure that receives whether the peer is trusted.
public typealias sec_protocol_verify_complete_t = @Sendable (Bool) -> Void
/// A closure that decides whether a peer is trusted, and calls the completion once.
public typealias sec_protocol_verify_t =
    @Sendable (sec_protocol_metadata_t, sec_trust_t, @escaping sec_protocol_verify_complete_t) -> Void

/// Sets the closure that evaluates the peer's certificates in place of the system.
///
/// - Parameters:
///   - options: The options.
///   - block: The closure.
///   - queue: The queue on which it runs.
public func sec_protocol_options_set_verify_block(
    _ options: sec_protocol_options_t, _ block: @escaping sec_protocol_verify_t, _ queue: DispatchQueue
) {
    options.storage.write { $0.verification = (queue, block) }
}

/// Sets the server name to request, and to expect in the certificate.
public func sec_protocol_options_set_tls_server_name(_ options: sec_protocol_options_t, _ name: UnsafePointer<CChar>) {
    let name = String(cString: name)
    options.storage.write { $0.serverName = name }
}

/// Adds an application protocol (ALPN), after those added before.
public func sec_protocol_options_add_tls_application_protocol(
    _ options: sec_protocol_options_t, _ name: UnsafePointer<CChar>
) {
    let name = String(cString: name)
    options.storage.write { $0.applicationProtocols.append(name) }
}

/// Sets the lowest accepted version of TLS.
public func sec_protocol_options_set_min_tls_protocol_version(
    _ options: sec_protocol_options_t, _ version: tls_protocol_version_t
) {
    options.storage.write { $0.minimumVersion = version }
}

/// Sets the highest offered version of TLS.
public func sec_protocol_options_set_max_tls_protocol_version(
    _ options: sec_protocol_options_t, _ version: tls_protocol_version_t
) {
    options.storage.write { $0.maximumVersion = version }
}

/// Sets whether the peer must have a trusted certificate. The default for a client is `true`.
public func sec_protocol_options_set_peer_authentication_required(_ options: sec_protocol_options_t, _ required: Bool) {
    options.storage.write { $0.requiresPeerAuthentication = required }
}

/// Sets the certificate of a listener, or of a client that a server asks for one.
public func sec_protocol_options_set_local_identity(_ options: sec_protocol_options_t, _ identity: sec_identity_t) {
    options.storage.write { $0.identity = identity }
}

/// A certificate and its private key. Linux has no keychain, so it is created from PEM data.
public final class OS_sec_identity: Sendable {
    package let certificates: Data
    package let privateKey: Data

    /// Creates an identity from PEM data. Available on Linux only.
    ///
    /// - Parameters:
    ///   - pemCertificates: The certificate, followed by the certificates that signed it.
    ///   - pemPrivateKey: The unencrypted private key.
    public init(pemCertificates: Data, pemPrivateKey: Data) {
        certificates = pemCertificates
        privateKey = pemPrivateKey
    }
}

/// A certificate and its private key.
public typealias sec_identity_t = OS_sec_identity
