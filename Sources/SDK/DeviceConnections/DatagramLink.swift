public import DeviceDiscovery
import NIOCore
import NIOPosix

/// A UDP socket for one device: datagrams in both directions, from its address only.
public actor DatagramLink {
    private nonisolated let eventLoop: any EventLoop
    /// The executor: the event loop of the socket.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    /// The datagrams of the device, for one consumer. The oldest are dropped if 256 wait. The stream finishes with the
    /// link.
    public nonisolated let datagrams: AsyncStream<[UInt8]>
    private nonisolated let channel: any Channel

    /// Opens a socket.
    ///
    /// - Parameter endpoint: The address of the device and its port.
    /// - Throws: ``TransportFailure/unreachable(_:)`` if the endpoint isn't an address and port, or no network leads there.
    public static func open(to endpoint: NWEndpoint) async throws(TransportFailure) -> DatagramLink {
        guard case .hostPort(let host, let port) = endpoint else {
            throw .unreachable("\(endpoint.debugDescription) isn't an address and port")
        }
        let eventLoop = Transport.group.next()
        let (datagrams, sink) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(256))
        let bootstrap = DatagramBootstrap(group: eventLoop).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(DatagramLinkHandler(sink))
            }
        }
        do {
            let channel = try await bootstrap.connect(host: host.debugDescription, port: Int(port.rawValue)).get()
            return DatagramLink(channel, datagrams)
        } catch {
            throw TransportFailure(connecting: error)
        }
    }

    private init(_ channel: any Channel, _ datagrams: AsyncStream<[UInt8]>) {
        eventLoop = channel.eventLoop
        self.channel = channel
        self.datagrams = datagrams
    }

    /// Sends datagrams. Any that the network can't carry at the moment is lost, as on the way.
    public func send(_ datagrams: [[UInt8]]) {
        for datagram in datagrams { channel.write(channel.allocator.buffer(bytes: datagram), promise: nil) }
        channel.flush()
    }

    /// Closes the socket.
    public nonisolated func close() { channel.close(promise: nil) }
}

private final class DatagramLinkHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let sink: AsyncStream<[UInt8]>.Continuation

    init(_ sink: AsyncStream<[UInt8]>.Continuation) { self.sink = sink }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        sink.yield(Array(unwrapInboundIn(data).data.readableBytesView))
    }

    func channelInactive(context: ChannelHandlerContext) { sink.finish() }

    /// A device that isn't ready yet answers by ICMP, and a network may be away for a moment.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
