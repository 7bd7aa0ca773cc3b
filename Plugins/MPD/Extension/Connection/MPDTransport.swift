import Glibc
import MPDProtocol
import NIOCore
import NIOPosix

extension MPDConnection {
    /// The one thread that carries every connection of this process.
    static let transport = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// Tries a server's addresses in order, each with its own time limit, and keeps the first that answers as MPD.
    ///
    /// - Throws: ``MPDError``: the last address's failure; `refused` at once, since another address of the same server
    ///   would refuse the same password.
    static func open(
        anyOf addresses: [MPDAddress], password: String?, timeouts: MPDTimeouts = MPDTimeouts()
    ) async throws(MPDError) -> (MPDConnection, MPDVersion) {
        var failure = MPDError.unreachable("it has no address")
        for address in addresses {
            let connection = MPDConnection(eventLoop: transport.next(), password: password, timeouts: timeouts)
            do throws(MPDError) {
                return (connection, try await connection.open(address))
            } catch .refused(let refusal) {
                throw .refused(refusal)
            } catch {
                failure = error
            }
        }
        throw failure
    }

    /// The kernel notices within six seconds that the peer is gone, without a timer or a wake-up of ours: a probe every
    /// second after three silent ones, and the same limit for unacknowledged data.
    static let livenessOptions: [(ChannelOptions.Types.SocketOption, Int)] = [
        (.init(level: .socket, name: .so_keepalive), 1),
        (.init(level: .tcp, name: .init(rawValue: TCP_KEEPIDLE)), 3),
        (.init(level: .tcp, name: .init(rawValue: TCP_KEEPINTVL)), 1),
        (.init(level: .tcp, name: .init(rawValue: TCP_KEEPCNT)), 3),
        (.init(level: .tcp, name: .init(rawValue: TCP_USER_TIMEOUT)), 6000),
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
