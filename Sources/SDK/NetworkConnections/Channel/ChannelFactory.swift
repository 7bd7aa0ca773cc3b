import DeviceDiscovery
import Glibc
import NIOCore
import NIOPosix
import NIOSSL

/// The factory of channels: sockets with their options, and the handlers of their protocols.
enum ChannelFactory {
    /// Connects, and reports to the driver when all protocols are ready or why they aren't.
    ///
    /// - Parameter made: A closure that receives the channel as soon as the transport is connected.
    static func connect(
        to target: ConnectionTarget, for driver: ConnectionDriver, attempt: Int,
        made: @escaping @Sendable (any Channel) -> Void
    ) {
        let plan = driver.plan
        let opening: EventLoopFuture<any Channel>
        let host: String?
        switch target {
        case .unix(let path):
            host = nil
            opening = stream(plan, driver.loop).connect(unixDomainSocketPath: path)
        case .addresses(let all, let name):
            host = name
            let addresses = all.filter { RouteLookup.isAllowed($0, by: plan.parameters) }
            guard let first = addresses.first else { return driver.failed(attempt, .posix(.ENETDOWN)) }
            if plan.isDatagram {
                let best = addresses.first { RouteLookup.localAddress(to: $0) != nil } ?? first
                opening = datagrams(plan, driver.loop, to: best)
            } else {
                opening = stream(plan, driver.loop)
                    .resolver(ListedAddresses(addresses, driver.loop))
                    .connect(host: "listed", port: first.port ?? 0)
            }
        }
        opening.hop(to: driver.loop).whenComplete { result in
            switch result {
            case .success(let channel):
                made(channel)
                prepare(channel, for: driver, attempt: attempt, host: host, isServer: false)
            case .failure(let error): driver.failed(attempt, NWError(error))
            }
        }
    }

    /// Prepares a channel that a listener accepted.
    static func adopt(_ channel: any Channel, for driver: ConnectionDriver, attempt: Int) {
        prepare(channel, for: driver, attempt: attempt, host: nil, isServer: true)
    }

    /// Closes a channel without the closing messages of its protocols.
    static func abandon(_ channel: any Channel) {
        channel.pipeline.handler(type: TransportHandler.self).whenComplete { result in
            guard case .success = result else { return channel.close(promise: nil) }
            channel.triggerUserOutboundEvent(TransportHandler.CloseNow(), promise: nil)
        }
    }

    // MARK: Sockets

    private static func stream(_ plan: ConnectionPlan, _ loop: any EventLoop) -> ClientBootstrap {
        var bootstrap = ClientBootstrap(group: loop)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.autoRead, value: false)
            .connectTimeout(plan.timeout)
            .channelInitializer { channel in
                do {
                    try SocketSettings.apply(plan, to: channel)
                    return channel.eventLoop.makeSucceededVoidFuture()
                } catch {
                    return channel.eventLoop.makeFailedFuture(error)
                }
            }
        if let local = plan.localAddress { bootstrap = bootstrap.bind(to: local) }
        return bootstrap
    }

    private static func datagrams(
        _ plan: ConnectionPlan, _ loop: any EventLoop, to address: SocketAddress
    ) -> EventLoopFuture<any Channel> {
        let bootstrap = DatagramBootstrap(group: loop)
            .channelOption(.autoRead, value: false)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 65_536))
            .channelInitializer { channel in
                do {
                    try SocketSettings.apply(plan, to: channel)
                    return channel.eventLoop.makeSucceededVoidFuture()
                } catch {
                    return channel.eventLoop.makeFailedFuture(error)
                }
            }
        guard let local = plan.localAddress else { return bootstrap.connect(to: address) }
        return bootstrap.bind(to: local).flatMap { channel in channel.connect(to: address).map { channel } }
    }

    // MARK: Protocols

    private static func prepare(
        _ channel: any Channel, for driver: ConnectionDriver, attempt: Int, host: String?, isServer: Bool
    ) {
        let plan = driver.plan
        do {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(TransportHandler())
            var metadata: [NWProtocolMetadata] = []
            if let tls = plan.tls?.securityProtocolOptions {
                let security = SecureChannel(tls.values, serverName: plan.serverName(host: host))
                try pipeline.addHandler(isServer ? security.makeServerHandler() : security.makeClientHandler())
                let handler = ConnectionHandler(driver, attempt, metadata: metadata, isSecure: true, plan.webSocket)
                try pipeline.addHandler(handler)
            } else {
                if plan.isDatagram { metadata = [] }
                try pipeline.addHandler(
                    ConnectionHandler(driver, attempt, metadata: metadata, isSecure: false, plan.webSocket))
            }
            // TLS and WebSocket complete their handshakes before any content is read.
            if plan.tls != nil || plan.webSocket != nil {
                channel.setOption(.autoRead, value: true).whenComplete { _ in }
            }
        } catch {
            driver.failed(attempt, NWError(error))
            channel.close(promise: nil)
        }
    }
}

/// Known addresses for a bootstrap that resolves names.
private struct ListedAddresses: Resolver {
    private let addresses: [SocketAddress]
    private let loop: any EventLoop

    init(_ addresses: [SocketAddress], _ loop: any EventLoop) { (self.addresses, self.loop) = (addresses, loop) }

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        loop.makeSucceededFuture(addresses.filter { $0.protocol == .inet })
    }
    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        loop.makeSucceededFuture(addresses.filter { $0.protocol == .inet6 })
    }
    func cancelQueries() {}
}

extension ConnectionPlan {
    /// The address from which to connect; `nil` for any.
    var localAddress: SocketAddress? {
        guard case .hostPort(let host, let port)? = parameters.requiredLocalEndpoint else { return nil }
        return SocketAddress(host, port)
    }
}
