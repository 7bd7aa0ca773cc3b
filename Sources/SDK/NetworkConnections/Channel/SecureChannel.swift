import DeviceDiscovery
import Dispatch
import Foundation
import NIOCore
import NIOSSL
import SwiftASN1
import Synchronization
import X509

/// TLS on a channel, with the settings of the connection's parameters.
struct SecureChannel {
    private let settings: OS_sec_protocol_options.Values
    private let serverName: String?

    init(_ settings: OS_sec_protocol_options.Values, serverName: String?) {
        self.settings = settings
        self.serverName = serverName
    }

    /// Creates the handler of a client.
    ///
    /// - Throws: ``NWError`` if the identity can't be read or the server name is invalid.
    func makeClientHandler() throws -> NIOSSLClientHandler {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = settings.requiresPeerAuthentication == false ? .none : .fullVerification
        try complete(&configuration)
        let context = try NIOSSLContext(configuration: configuration)
        guard let verification = settings.verification else {
            return try NIOSSLClientHandler(context: context, serverHostname: serverName)
        }
        let (block, queue, name) = (verification.block, verification.queue, serverName)
        return try NIOSSLClientHandler(context: context, serverHostname: serverName) { certificates, promise in
            let chain = certificates.compactMap { try? $0.toDERBytes() }
            let answer = OnceAnswer(promise)
            Task {
                let flaw = await TrustEvaluation.flaw(of: chain, name: name)
                let trust = SecTrust(chain: chain.map { SecCertificate(der: Data($0)) }, flaw: flaw)
                let metadata = sec_protocol_metadata_t(applicationProtocol: nil, serverName: name)
                queue.async { block(metadata, sec_trust_t(trust)) { answer.give($0) } }
            }
        }
    }

    /// Creates the handler of a server.
    ///
    /// - Throws: ``NWError``: `EINVAL` without an identity.
    func makeServerHandler() throws -> NIOSSLServerHandler {
        guard settings.identity != nil else { throw NWError.posix(.EINVAL) }
        var configuration = TLSConfiguration.makeServerConfiguration(certificateChain: [], privateKey: try privateKey())
        configuration.certificateVerification =
            settings.requiresPeerAuthentication == true ? .noHostnameVerification : .none
        try complete(&configuration)
        return NIOSSLServerHandler(context: try NIOSSLContext(configuration: configuration))
    }

    private func complete(_ configuration: inout TLSConfiguration) throws {
        configuration.applicationProtocols = settings.applicationProtocols
        if let version = settings.minimumVersion { configuration.minimumTLSVersion = TLSVersion(version) }
        if let version = settings.maximumVersion { configuration.maximumTLSVersion = TLSVersion(version) }
        guard let identity = settings.identity else { return }
        do {
            configuration.certificateChain = try NIOSSLCertificate.fromPEMBytes(Array(identity.certificates))
                .map { .certificate($0) }
        } catch {
            throw NWError.posix(.EINVAL)
        }
        configuration.privateKey = try privateKey()
    }

    private func privateKey() throws -> NIOSSLPrivateKeySource {
        guard let identity = settings.identity,
            let key = try? NIOSSLPrivateKey(bytes: Array(identity.privateKey), format: .pem)
        else { throw NWError.posix(.EINVAL) }
        return .privateKey(key)
    }
}

/// A promise that accepts only the first answer of its block.
private final class OnceAnswer: Sendable {
    private let promise: Mutex<EventLoopPromise<NIOSSLVerificationResult>?>

    init(_ promise: EventLoopPromise<NIOSSLVerificationResult>) { self.promise = Mutex(promise) }

    // A block that never answers keeps the handshake until its time is up.
    deinit { promise.withLock { $0 }?.succeed(.failed) }

    func give(_ isTrusted: Bool) {
        let promise = promise.withLock { promise in
            defer { promise = nil }
            return promise
        }
        promise?.succeed(isTrusted ? .certificateVerified : .failed)
    }
}

/// The system's evaluation of a certificate chain.
enum TrustEvaluation {
    /// Returns the reason why a certificate chain isn't trusted.
    ///
    /// - Parameters:
    ///   - chain: The certificates in DER, the peer's own first.
    ///   - name: The server name; `nil` for none.
    /// - Returns: `nil` if the chain is trusted.
    static func flaw(of chain: [[UInt8]], name: String?) async -> NWError? {
        let certificates = chain.compactMap { try? Certificate(derEncoded: $0) }
        guard let leaf = certificates.first, certificates.count == chain.count else {
            return .tls(errSSLXCertChainInvalid)
        }
        let intermediates = CertificateStore(certificates.dropFirst())
        var verifier = Verifier(rootCertificates: .systemTrustRoots) { RFC5280Policy() }
        guard case .validCertificate = await verifier.validate(leaf: leaf, intermediates: intermediates) else {
            return .tls(errSSLXCertChainInvalid)
        }
        guard let name else { return nil }
        var named = Verifier(rootCertificates: .systemTrustRoots) {
            RFC5280Policy()
            ServerIdentityPolicy(serverHostname: name, serverIP: nil)
        }
        if case .validCertificate = await named.validate(leaf: leaf, intermediates: intermediates) { return nil }
        return .tls(errSSLHostNameMismatch)
    }
}

extension TLSVersion {
    init(_ version: tls_protocol_version_t) {
        switch version {
        case .TLSv10: self = .tlsv1
        case .TLSv11: self = .tlsv11
        case .TLSv12: self = .tlsv12
        case .TLSv13: self = .tlsv13
        }
    }
}
