import Foundation

/// An error of multicast DNS, as its service numbers them; 0 is none.
public typealias DNSServiceErrorType = Int32

/// Nothing is known about the cause.
public let kDNSServiceErr_Unknown = -65537
/// The name is not known.
public let kDNSServiceErr_NoSuchName = -65538
/// A type, domain or search target that can never be found.
public let kDNSServiceErr_BadParam = -65540
/// The request is not supported here.
public let kDNSServiceErr_Unsupported = -65544
/// Nobody answers for discovery on this machine.
public let kDNSServiceErr_ServiceNotRunning = -65563
/// The service will not do that for this program.
public let kDNSServiceErr_Refused = -65553
/// Nobody answered in time.
public let kDNSServiceErr_Timeout = -65568
/// The program may not browse for this type, or announce it.
public let kDNSServiceErr_PolicyDenied = -65570
/// The link to the service was lost; a new browser is needed.
public let kDNSServiceErr_DefunctConnection = -65569

/// The TLS handshake or its records broke the protocol.
public let errSSLProtocol: Int32 = -9800
/// The peer's certificate is not trusted.
public let errSSLXCertChainInvalid: Int32 = -9807
/// The peer closed the connection without saying so in TLS.
public let errSSLClosedNoNotify: Int32 = -9816
/// The peer refused the handshake.
public let errSSLPeerHandshakeFail: Int32 = -9824
/// The peer has no version of TLS that is acceptable.
public let errSSLPeerProtocolVersion: Int32 = -9836
/// The peer's certificate is for another name.
public let errSSLHostNameMismatch: Int32 = -9843

/// An error of discovery, a connection or a listener.
public enum NWError: Error, Hashable, Sendable {
    /// An error of the system.
    case posix(POSIXErrorCode)
    /// An error of multicast DNS or SSDP.
    case dns(DNSServiceErrorType)
    /// An error of TLS.
    case tls(Int32)

    static let serviceNotRunning = NWError.dns(DNSServiceErrorType(kDNSServiceErr_ServiceNotRunning))
    static let badParameter = NWError.dns(DNSServiceErrorType(kDNSServiceErr_BadParam))
    static let connectionLost = NWError.dns(DNSServiceErrorType(kDNSServiceErr_DefunctConnection))
}

extension NWError: LocalizedError, CustomDebugStringConvertible {
    /// One sentence for people.
    public var errorDescription: String? {
        switch self {
        case .posix(let code): String(cString: strerror(code.rawValue)) + "."
        case .tls(errSSLXCertChainInvalid): "The other side's certificate isn't trusted."
        case .tls(errSSLHostNameMismatch): "The other side's certificate is for another name."
        case .tls(errSSLClosedNoNotify): "The other side closed the connection without ending TLS."
        case .tls(errSSLPeerHandshakeFail): "The other side refused the TLS handshake."
        case .tls(errSSLPeerProtocolVersion): "The other side supports no acceptable version of TLS."
        case .tls(errSSLProtocol): "The other side broke the TLS protocol."
        case .tls(let status): "TLS failed with status \(status)."
        case .dns(let code):
            switch Int(code) {
            case kDNSServiceErr_NoSuchName: "There is no such name."
            case kDNSServiceErr_BadParam: "Nothing can be found under such a type or name."
            case kDNSServiceErr_Unsupported: "Discovery of this kind is not supported."
            case kDNSServiceErr_Refused: "The service that discovers devices refuses to do that."
            case kDNSServiceErr_Timeout: "The name server didn't answer in time."
            case kDNSServiceErr_ServiceNotRunning: "The service that discovers devices does not answer."
            case kDNSServiceErr_PolicyDenied: "This program may not browse for this type, or announce it."
            case kDNSServiceErr_DefunctConnection: "The link to the service that discovers devices was lost."
            default: "Discovery failed with error \(code)."
            }
        }
    }

    /// The kind and number of the error, and its sentence.
    public var debugDescription: String {
        let number =
            switch self {
            case .posix(let code): "posix \(code.rawValue)"
            case .dns(let code): "dns \(code)"
            case .tls(let status): "tls \(status)"
            }
        return "\(number): \(errorDescription ?? "")"
    }
}
