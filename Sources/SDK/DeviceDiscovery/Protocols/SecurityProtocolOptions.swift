import Dispatch
import Foundation

/// A version of TLS.
public enum tls_protocol_version_t: UInt16, Hashable, Sendable {
    case TLSv10 = 0x0301
    case TLSv11
    case TLSv12
    case TLSv13
}

/// Settings of TLS; read and written by the functions `sec_protocol_options_…`.
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

public typealias sec_protocol_options_t = OS_sec_protocol_options

/// Tells whether the peer is trusted.
public typealias sec_protocol_verify_complete_t = @Sendable (Bool) -> Void
/// Decides whether a peer is trusted, by calling the completion once.
public typealias sec_protocol_verify_t =
    @Sendable (sec_protocol_metadata_t, sec_trust_t, @escaping sec_protocol_verify_complete_t) -> Void

/// Sets the block that decides about the peer's certificates, in place of the system's rules.
///
/// - Parameter queue: Where the block runs.
public func sec_protocol_options_set_verify_block(
    _ options: sec_protocol_options_t, _ block: @escaping sec_protocol_verify_t, _ queue: DispatchQueue
) {
    options.storage.write { $0.verification = (queue, block) }
}

/// Sets the name to ask the server for, and to find in its certificate.
public func sec_protocol_options_set_tls_server_name(_ options: sec_protocol_options_t, _ name: UnsafePointer<CChar>) {
    let name = String(cString: name)
    options.storage.write { $0.serverName = name }
}

/// Adds an application protocol to offer (ALPN), after those added before.
public func sec_protocol_options_add_tls_application_protocol(
    _ options: sec_protocol_options_t, _ name: UnsafePointer<CChar>
) {
    let name = String(cString: name)
    options.storage.write { $0.applicationProtocols.append(name) }
}

/// Sets the lowest version of TLS to accept.
public func sec_protocol_options_set_min_tls_protocol_version(
    _ options: sec_protocol_options_t, _ version: tls_protocol_version_t
) {
    options.storage.write { $0.minimumVersion = version }
}

/// Sets the highest version of TLS to offer.
public func sec_protocol_options_set_max_tls_protocol_version(
    _ options: sec_protocol_options_t, _ version: tls_protocol_version_t
) {
    options.storage.write { $0.maximumVersion = version }
}

/// Sets whether the peer has to have a certificate that is trusted. Of a client this is true by default.
public func sec_protocol_options_set_peer_authentication_required(_ options: sec_protocol_options_t, _ required: Bool) {
    options.storage.write { $0.requiresPeerAuthentication = required }
}

/// Sets the certificate that a listener shows, or a client that is asked for one.
public func sec_protocol_options_set_local_identity(_ options: sec_protocol_options_t, _ identity: sec_identity_t) {
    options.storage.write { $0.identity = identity }
}

/// A certificate and its private key. There is no keychain on Linux, so it is made from files' contents.
public final class OS_sec_identity: Sendable {
    package let certificates: Data
    package let privateKey: Data

    /// Takes PEM. Available on Linux only.
    ///
    /// - Parameters:
    ///   - pemCertificates: The certificate, then those that signed it.
    ///   - pemPrivateKey: The key, not encrypted.
    public init(pemCertificates: Data, pemPrivateKey: Data) {
        certificates = pemCertificates
        privateKey = pemPrivateKey
    }
}

public typealias sec_identity_t = OS_sec_identity
