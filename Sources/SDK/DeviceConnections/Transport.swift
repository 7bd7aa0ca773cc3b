import DeviceDiscovery
import Glibc
import NIOCore
import NIOPosix

/// The thread that carries all connections of this process, and the function that connects to devices.
enum Transport {
    static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// Socket options that detect a lost device within six seconds, without timers of our own: one probe every second
    /// after three silent ones, and the same limit for unacknowledged data.
    private static let livenessOptions: [(ChannelOptions.Types.SocketOption, Int)] = [
        (.init(level: .socket, name: .so_keepalive), 1),
        (.init(level: .tcp, name: .init(rawValue: TCP_KEEPIDLE)), 3),
        (.init(level: .tcp, name: .init(rawValue: TCP_KEEPINTVL)), 1),
        (.init(level: .tcp, name: .init(rawValue: TCP_KEEPCNT)), 3),
        (.init(level: .tcp, name: .init(rawValue: TCP_USER_TIMEOUT)), 6000),
    ]

    /// Connects to an endpoint.
    ///
    /// - Parameter prepare: A function that adds the connection's handlers.
    static func connect(
        to endpoint: NWEndpoint, on eventLoop: any EventLoop, within limit: Duration,
        prepare: @escaping @Sendable (any Channel) throws -> Void
    ) async throws(TransportFailure) -> any Channel {
        guard case .hostPort(let host, let port) = endpoint else {
            throw .unreachable("\(endpoint.debugDescription) isn't an address and port")
        }
        var bootstrap = ClientBootstrap(group: eventLoop).connectTimeout(TimeAmount(limit))
            .channelInitializer { channel in channel.eventLoop.makeCompletedFuture { try prepare(channel) } }
        for (option, value) in livenessOptions { bootstrap = bootstrap.channelOption(option, value: value) }
        do {
            // A numeric address needs no resolver; a scope (`%eth0`) does, for the interface's number.
            let name = host.debugDescription
            if let numeric = try? SocketAddress(ipAddress: name, port: Int(port.rawValue)) {
                return try await bootstrap.connect(to: numeric).get()
            }
            return try await bootstrap.connect(host: name, port: Int(port.rawValue)).get()
        } catch {
            throw TransportFailure(connecting: error)
        }
    }
}

extension IOError {
    var localizedReason: String { String(cString: strerror(errnoCode)) }
}
