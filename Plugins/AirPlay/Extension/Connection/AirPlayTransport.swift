import AirPlayProtocol
import Glibc
import NIOCore
import NIOPosix

/// The one thread that carries every connection and every stream of this process.
enum AirPlayTransport {
    static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// The kernel notices within six seconds that the peer is gone, without a timer or a wake-up of ours.
    static let livenessOptions: [(ChannelOptions.Types.SocketOption, Int)] = [
        (.init(level: .socket, name: .so_keepalive), 1),
        (.init(level: .tcp, name: .init(rawValue: TCP_KEEPIDLE)), 3),
        (.init(level: .tcp, name: .init(rawValue: TCP_KEEPINTVL)), 1),
        (.init(level: .tcp, name: .init(rawValue: TCP_KEEPCNT)), 3),
        (.init(level: .tcp, name: .init(rawValue: TCP_USER_TIMEOUT)), 6000),
        (.init(level: .tcp, name: .tcp_nodelay), 1),
    ]

    /// What the transport says went wrong, as the end of a sentence.
    static func describe(_ error: any Error) -> String {
        switch error {
        case let error as IOError: String(cString: strerror(error.errnoCode))
        case ChannelError.connectTimeout: "no answer in time"
        case let error as NIOConnectionError where error.dnsAError != nil || error.dnsAAAAError != nil:
            "\(error.host) has no address"
        case let error as NIOConnectionError:
            error.connectionErrors.last.map { describe($0.error) } ?? "no connection to \(error.host)"
        default: String(describing: error)
        }
    }
}
