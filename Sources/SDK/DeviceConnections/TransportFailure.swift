import DeviceDiscovery
public import MediaDevice
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// An error of a connection, or of a request on it.
///
/// Each text completes a sentence, such as `connection refused`; ``sentence`` is the whole.
public enum TransportFailure: Error, Sendable, Hashable {
    /// The connection couldn't be made.
    case unreachable(String)
    /// No answer arrived in time.
    case timedOut(String)
    /// The connection ended after it was made.
    case disconnected(String)
    /// The device sent data that its protocol doesn't allow.
    case malformed(String)
    /// A message, or the number of requests in flight, exceeded its limit.
    case tooLarge(String)

    /// The failure as one sentence for people.
    public var sentence: String {
        switch self {
        case .unreachable(let reason): "The device can't be reached: \(reason)."
        case .timedOut(let reason): "The device didn't answer in time: \(reason)."
        case .disconnected(let reason): "The connection to the device ended: \(reason)."
        case .malformed(let reason): "The device sent something unexpected: \(reason)."
        case .tooLarge(let reason): "The exchange with the device is too large: \(reason)."
        }
    }

    init(connecting error: any Error) {
        switch error {
        case let failure as TransportFailure: self = failure
        case ChannelError.connectTimeout: self = .timedOut("no connection")
        default: self = .unreachable(Self.describe(error))
        }
    }

    static func describe(_ error: any Error) -> String {
        switch error {
        case let failure as TransportFailure: failure.sentence
        case let error as IOError: error.localizedReason
        case let error as NIOConnectionError where error.dnsAError != nil || error.dnsAAAAError != nil:
            "\(error.host) has no address"
        case let error as NIOConnectionError:
            error.connectionErrors.last.map { describe($0.error) } ?? "no connection to \(error.host)"
        case HTTPParserError.invalidEOFState: "its answer is incomplete"
        case is HTTPParserError: "it isn't valid HTTP"
        case NIOSSLError.handshakeFailed(let reason): "no TLS connection (\(reason))"
        case is NIOSSLError, is BoringSSLError: "the TLS connection failed (\(error))"
        default: String(describing: error)
        }
    }
}

extension MediaDeviceError {
    /// Creates an error for people and apps: `connectionFailed` with the failure's sentence, and with the detail
    /// `timedOut` if no answer arrived in time.
    public init(_ failure: TransportFailure) {
        var detail: Detail?
        if case .timedOut = failure { detail = .timedOut }
        self.init(.connectionFailed, detail: detail, reason: failure.sentence)
    }
}
