import DeviceDiscovery
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import NIOWebSocket

extension NWError {
    init(errno number: Int32) { self = .posix(POSIXErrorCode(rawValue: number) ?? .EIO) }

    /// Creates an error from that of a channel, of TLS or of the resolver.
    init(_ error: any Error) {
        switch error {
        case let error as NWError: self = error
        case let error as IOError: self.init(errno: error.errnoCode)
        case let error as NIOConnectionError: self.init(connecting: error)
        case let error as ChannelError: self.init(channel: error)
        case is NIOSSLExtraError: self = .tls(errSSLHostNameMismatch)
        case let error as NIOSSLError: self.init(tls: error)
        case is BoringSSLError: self = .tls(errSSLProtocol)
        case NIOWebSocketError.invalidFrameLength: self = .posix(.EMSGSIZE)
        case is NIOWebSocketError: self = .posix(.EPROTO)
        default: self = .posix(.EIO)
        }
    }

    private init(connecting error: NIOConnectionError) {
        // A host with several addresses: an answer from a reachable one is more informative than a missing route.
        let failures = error.connectionErrors.map { NWError($0.error) }
        let routeless: Set<NWError> = [.posix(.ENETUNREACH), .posix(.EADDRNOTAVAIL), .posix(.EAFNOSUPPORT)]
        self = failures.first { !routeless.contains($0) } ?? failures.first ?? .posix(.EHOSTUNREACH)
    }

    private init(channel error: ChannelError) {
        switch error {
        case .connectTimeout: self = .posix(.ETIMEDOUT)
        case .outputClosed: self = .posix(.EPIPE)
        case .eof: self = .posix(.ECONNRESET)
        case .writeMessageTooLarge: self = .posix(.EMSGSIZE)
        default: self = .posix(.ENOTCONN)
        }
    }

    private init(tls error: NIOSSLError) {
        switch error {
        case .uncleanShutdown: self = .tls(errSSLClosedNoNotify)
        case .unableToValidateCertificate: self = .tls(errSSLXCertChainInvalid)
        case .handshakeFailed(let cause):
            // BoringSSL's errors have no public numbers, only names.
            let text = String(describing: cause)
            if text.contains("CERTIFICATE_VERIFY_FAILED") {
                self = .tls(errSSLXCertChainInvalid)
            } else if text.contains("PROTOCOL_VERSION") || text.contains("UNSUPPORTED_PROTOCOL") {
                self = .tls(errSSLPeerProtocolVersion)
            } else if text.contains("ALERT") {
                self = .tls(errSSLPeerHandshakeFail)
            } else {
                self = .tls(errSSLProtocol)
            }
        default: self = .tls(errSSLProtocol)
        }
    }
}
