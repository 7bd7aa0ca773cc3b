import NIOCore
import NIOPosix

/// The handler of a datagram listener's socket: gives every new peer a connected socket on the same port.
///
/// The kernel then delivers the peer's datagrams to that socket, and an ICMP rejection ends only that connection.
final class DatagramListenerHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    /// The highest number of peers at a time; datagrams of further ones are lost until one is closed.
    private static let peerCapacity = 1_024

    private let plan: ConnectionPlan
    private let mayAccept: @Sendable () -> Bool
    private let accept: @Sendable (any Channel) -> Bool
    private var peers: [SocketAddress: DatagramInbox] = [:]
    private var channel: (any Channel)?

    init(
        _ plan: ConnectionPlan, mayAccept: @escaping @Sendable () -> Bool,
        accept: @escaping @Sendable (any Channel) -> Bool
    ) {
        (self.plan, self.mayAccept, self.accept) = (plan, mayAccept, accept)
    }

    func handlerAdded(context: ChannelHandlerContext) { channel = context.channel }
    func handlerRemoved(context: ChannelHandlerContext) { (channel, peers) = (nil, [:]) }
    func channelRead(context: ChannelHandlerContext, data: NIOAny) { deliver(unwrapInboundIn(data)) }

    /// A rejected datagram or a full buffer isn't the end of the listener.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !context.channel.isActive { context.fireErrorCaught(error) }
    }

    private func deliver(_ datagram: AddressedEnvelope<ByteBuffer>) {
        let peer = datagram.remoteAddress
        if let inbox = peers[peer] { return inbox.take(datagram) }
        guard let channel, peers.count < Self.peerCapacity, mayAccept() else { return }
        let inbox = DatagramInbox(peer: peer) { [weak self] in self?.deliver($0) }
        inbox.take(datagram)
        peers[peer] = inbox
        connect(inbox, to: peer, from: datagram.metadata?.packetInfo?.destinationAddress, channel)
    }

    private func connect(
        _ inbox: DatagramInbox, to peer: SocketAddress, from destination: SocketAddress?, _ listener: any Channel
    ) {
        let state = NIOLoopBound((handler: self, inbox: inbox), eventLoop: listener.eventLoop)
        let (plan, accept) = (plan, accept)
        guard let own = listener.localAddress else { return forget(peer) }
        let local = Self.replyAddress(destination, port: own.port) ?? own
        // The type isn't Sendable: each use makes its own.
        let open = { @Sendable (address: SocketAddress) in
            DatagramBootstrap(group: listener.eventLoop)
                .channelOption(.socketOption(.so_reuseaddr), value: 1)
                .channelOption(.autoRead, value: false)
                .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 65_536))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try SocketSettings.apply(plan, to: channel)
                        try channel.pipeline.syncOperations.addHandler(state.value.inbox)
                    }
                }
                .bind(to: address)
        }
        // The port is shared only while a socket of this listener binds to it, so no other program can take it.
        Self.share(true, listener)
            .flatMap { open(local) }
            .flatMapError { _ in open(own) }
            .always { _ in _ = Self.share(plan.parameters.allowLocalEndpointReuse, listener) }
            .flatMap { child in
                child.connect(to: peer).map { child }.flatMapErrorThrowing { error in
                    child.close(promise: nil)
                    throw error
                }
            }
            .whenComplete { result in
                guard case .success(let child) = result else { return state.value.handler.forget(peer) }
                child.closeFuture.whenComplete { _ in state.value.handler.forget(peer) }
                if !accept(child) { child.close(promise: nil) }
            }
    }

    /// Returns the address that the peer wrote to, from which the replies come; `nil` for a group's.
    private static func replyAddress(_ destination: SocketAddress?, port: Int?) -> SocketAddress? {
        guard var address = destination, !address.isMulticast else { return nil }
        address.port = port
        return address
    }

    private static func share(_ isShared: Bool, _ listener: any Channel) -> EventLoopFuture<Void> {
        listener.setOption(.socketOption(.so_reuseaddr), value: isShared ? 1 : 0)
    }

    private func forget(_ peer: SocketAddress) { peers[peer] = nil }
}
