import NIOCore

/// The first handler of one peer's channel: holds the datagrams that reached the listener before the peer's own socket,
/// and returns those of other peers.
final class DatagramInbox: ChannelDuplexHandler {
    typealias Datagram = AddressedEnvelope<ByteBuffer>
    typealias InboundIn = Datagram
    typealias InboundOut = Datagram
    typealias OutboundIn = Any

    /// The highest number of datagrams that wait to be read; further ones are lost, as in a full socket.
    private static let capacity = 64

    private let peer: SocketAddress
    private let returnStray: (Datagram) -> Void
    private var waiting: CircularBuffer<Datagram> = []
    private var context: ChannelHandlerContext?
    private var isAwaited = false

    init(peer: SocketAddress, returnStray: @escaping (Datagram) -> Void) {
        self.peer = peer
        self.returnStray = returnStray
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Takes a datagram of the peer that the listener's socket received.
    func take(_ datagram: Datagram) {
        guard isAwaited, let context else {
            if waiting.count < Self.capacity { waiting.append(datagram) }
            return
        }
        deliver(datagram, context)
    }

    func read(context: ChannelHandlerContext) {
        if let next = waiting.popFirst() { return deliver(next, context) }
        isAwaited = true
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let datagram = unwrapInboundIn(data)
        // Between `bind` and `connect` the kernel hands the socket everyone's datagrams.
        guard datagram.remoteAddress == peer else { return returnStray(datagram) }
        context.fireChannelRead(data)
    }

    private func deliver(_ datagram: Datagram, _ context: ChannelHandlerContext) {
        isAwaited = false
        context.fireChannelRead(wrapInboundOut(datagram))
        context.fireChannelReadComplete()
    }
}
