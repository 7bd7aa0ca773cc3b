public import Foundation

/// An error code of multicast DNS; 0 for no error.
public typealias DNSServiceErrorType = Int32

/// The error is unknown.
public let kDNSServiceErr_Unknown = -65537
/// The name doesn't exist.
public let kDNSServiceErr_NoSuchName = -65538
/// The type, domain, name or search target is invalid. Correct it.
public let kDNSServiceErr_BadParam = -65540
/// The request isn't supported on this system.
public let kDNSServiceErr_Unsupported = -65544
/// The discovery service isn't running on this computer.
public let kDNSServiceErr_ServiceNotRunning = -65563
/// The service refuses the request.
public let kDNSServiceErr_Refused = -65553
/// No answer arrived in time.
public let kDNSServiceErr_Timeout = -65568
/// The program isn't allowed to browse for this type, or to announce it. Declare it in the `Info.plist`.
public let kDNSServiceErr_PolicyDenied = -65570
/// The connection to the service was lost. Create another browser.
public let kDNSServiceErr_DefunctConnection = -65569

/// The peer violated the TLS protocol.
public let errSSLProtocol: Int32 = -9800
/// The peer's certificate isn't trusted.
public let errSSLXCertChainInvalid: Int32 = -9807
/// The peer closed the connection without ending TLS.
public let errSSLClosedNoNotify: Int32 = -9816
/// The peer refused the TLS handshake.
public let errSSLPeerHandshakeFail: Int32 = -9824
/// The peer supports no acceptable version of TLS.
public let errSSLPeerProtocolVersion: Int32 = -9836
/// The peer's certificate is for another name.
public let errSSLHostNameMismatch: Int32 = -9843

/// An error of discovery, a connection or a listener.
public enum NWError: Error, Hashable, Sendable {
    /// A system error.
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
    /// The error as one sentence for people.
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
            case kDNSServiceErr_BadParam: "The type or name isn't valid."
            case kDNSServiceErr_Unsupported: "Discovery of this kind is not supported."
            case kDNSServiceErr_Refused: "The service that discovers devices refuses to do that."
            case kDNSServiceErr_Timeout: "The name server didn't answer in time."
            case kDNSServiceErr_ServiceNotRunning: "The discovery service isn't running."
            case kDNSServiceErr_PolicyDenied: "This program may not browse for this type, or announce it."
            case kDNSServiceErr_DefunctConnection: "The link to the service that discovers devices was lost."
            default: "Discovery failed with error \(code)."
            }
        }
    }

    /// The kind, number and sentence of the error.
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
