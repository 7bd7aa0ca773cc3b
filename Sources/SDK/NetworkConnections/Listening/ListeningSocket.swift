import DeviceDiscovery
import NIOCore
import NIOPosix

/// The socket of a listener: opens it, and passes on the channels of accepted connections.
struct ListeningSocket: Sendable {
    let parameters: NWParameters
    let port: NWEndpoint.Port
    /// Returns whether a connection would be accepted now.
    let mayAccept: @Sendable () -> Bool
    /// Accepts a connection; `false` refuses it.
    let accept: @Sendable (any Channel) -> Bool

    func open() -> EventLoopFuture<any Channel> { bind(to: addresses()) }

    /// Returns the addresses to listen on: the requested one, otherwise both IP versions, otherwise IPv4 only.
    private func addresses() -> [SocketAddress] {
        if case .hostPort(let host, _)? = parameters.requiredLocalEndpoint, let address = SocketAddress(host, port) {
            return [address]
        }
        let (six, four): (NWEndpoint.Host, NWEndpoint.Host) =
            parameters.acceptLocalOnly ? (.ipv6(.loopback), .ipv4(.loopback)) : (.ipv6(.any), .ipv4(.any))
        let version = (parameters.defaultProtocolStack.internetProtocol as? NWProtocolIP.Options)?.version ?? .any
        let hosts = parameters.acceptLocalOnly ? [four, six] : [six, four]
        return hosts.compactMap { SocketAddress($0, port) }.filter { $0.isAllowed(version) }
    }

    private func bind(to addresses: [SocketAddress]) -> EventLoopFuture<any Channel> {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        guard let first = addresses.first else { return loop.makeFailedFuture(NWError.posix(.EADDRNOTAVAIL)) }
        return bind(to: first).hop(to: loop).flatMapError { error in
            // A machine without IPv6.
            let mayTryOther = [.posix(.EAFNOSUPPORT), .posix(.EADDRNOTAVAIL)].contains(NWError(error))
            guard mayTryOther, addresses.count > 1 else { return loop.makeFailedFuture(error) }
            return bind(to: addresses[1]).hop(to: loop)
        }
    }

    private func bind(to address: SocketAddress) -> EventLoopFuture<any Channel> {
        let plan = ConnectionPlan(.hostPort(host: "::", port: port), parameters)
        return plan.isDatagram ? datagrams(plan).bind(to: address) : streams().bind(to: address)
    }

    private func datagrams(_ plan: ConnectionPlan) -> DatagramBootstrap {
        let (mayAccept, accept) = (mayAccept, accept)
        return DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.receivePacketInfo, value: true)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 65_536))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try SocketSettings.apply(plan, to: channel)
                    try channel.pipeline.syncOperations.addHandler(
                        DatagramListenerHandler(plan, mayAccept: mayAccept, accept: accept))
                }
            }
    }

    private func streams() -> ServerBootstrap {
        ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 128)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: parameters.allowLocalEndpointReuse ? 1 : 0)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { [accept] channel in
                guard accept(channel) else {
                    return channel.eventLoop.makeFailedFuture(NWError.posix(.ECONNREFUSED))
                }
                return channel.eventLoop.makeSucceededVoidFuture()
            }
    }
}
