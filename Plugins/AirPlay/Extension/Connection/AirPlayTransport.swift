import AirPlayProtocol
import Glibc
import NIOCore
import NIOPosix

/// The thread that carries all connections and streams of this process.
enum AirPlayTransport {
    static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// Socket options with which the kernel detects a lost peer within six seconds, without timers of our own.
    static let livenessOptions: [(ChannelOptions.Types.SocketOption, Int)] = [
        (.init(level: .socket, name: .so_keepalive), 1),
        (.init(level: .tcp, name: .init(rawValue: TCP_KEEPIDLE)), 3),
        (.init(level: .tcp, name: .init(rawValue: TCP_KEEPINTVL)), 1),
        (.init(level: .tcp, name: .init(rawValue: TCP_KEEPCNT)), 3),
        (.init(level: .tcp, name: .init(rawValue: TCP_USER_TIMEOUT)), 6000),
        (.init(level: .tcp, name: .tcp_nodelay), 1),
    ]

    /// Returns the transport's reason, which completes a sentence.
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
