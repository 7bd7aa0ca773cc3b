import DeviceDiscovery
import NIOCore
import NIOSSL
import NIOTLS

/// The last handler of a channel's pipeline, which reports events to the driver.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = Any
    typealias OutboundIn = Any
    typealias OutboundOut = Any

    private let driver: ConnectionDriver
    private let attempt: Int
    private var metadata: [NWProtocolMetadata]
    private let isSecure: Bool
    private let webSocket: NWProtocolWebSocket.Options?
    private var error: NWError?
    private var isReady = false
    /// A Boolean value that indicates whether the transport was seen as active. A channel can report this afterwards.
    private var hasTransport = false

    init(
        _ driver: ConnectionDriver, _ attempt: Int, metadata: [NWProtocolMetadata], isSecure: Bool,
        _ webSocket: NWProtocolWebSocket.Options?
    ) {
        (self.driver, self.attempt, self.metadata) = (driver, attempt, metadata)
        (self.isSecure, self.webSocket) = (isSecure, webSocket)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if !isSecure, context.channel.isActive { transportIsReady(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        if !isSecure { transportIsReady(context) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case TLSUserEvent.handshakeCompleted(let name):
            metadata.append(
                NWProtocolTLS.Metadata(
                    sec_protocol_metadata_t(
                        applicationProtocol: name, serverName: driver.plan.serverName(host: nil))))
            transportIsReady(context)
        case is WebSocketHandler.Opened: isNowReady(context)
        case ChannelEvent.inputClosed:
            // TLS without its own end is reported as an error just before.
            if let error { driver.broke(context.channel, error) } else { driver.inputEnded() }
        default: break
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        // A stream wraps its data in IOData if the reader doesn't request a single type.
        case let data as IOData:
            if case .byteBuffer(let bytes) = data { driver.received(bytes) }
        case let message as ReceiveQueue.Message: driver.received(message)
        case let datagram as AddressedEnvelope<ByteBuffer>:
            driver.received(ReceiveQueue.Message(content: datagram.data))
        default: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) { driver.readMore() }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard driver.plan.isDatagram, let send = unwrapOutboundIn(data) as? ConnectionMachine.Send,
            let remote = context.channel.remoteAddress
        else { return context.write(data, promise: promise) }
        context.write(
            NIOAny(AddressedEnvelope(remoteAddress: remote, data: send.content ?? ByteBuffer())), promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let error = NWError(error)
        self.error = self.error ?? error
        guard isReady else {
            driver.failed(attempt, error)
            return context.close(promise: nil)
        }
        // Data that arrived can still be received; the end that follows reports the error.
        if error == .tls(errSSLClosedNoNotify) { return }
        driver.broke(context.channel, error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let error { driver.broke(context.channel, error) } else { driver.closed(context.channel) }
        if !isReady { driver.failed(attempt, error ?? .posix(.ECONNRESET)) }
    }

    private func transportIsReady(_ context: ChannelHandlerContext) {
        guard !hasTransport else { return }
        hasTransport = true
        guard let webSocket else { return isNowReady(context) }
        do {
            try WebSocketHandler.open(
                context.channel, before: self, webSocket, request: driver.plan.request)
        } catch {
            errorCaught(context: context, error: error)
        }
    }

    private func isNowReady(_ context: ChannelHandlerContext) {
        isReady = true
        driver.established(attempt, context.channel, metadata)
    }
}

/// The first handler of a channel's pipeline, which can close it without the closing messages of its protocols.
final class TransportHandler: ChannelOutboundHandler {
    typealias OutboundIn = Any

    struct CloseNow: Sendable {}

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is CloseNow else { return context.triggerUserOutboundEvent(event, promise: promise) }
        context.close(promise: promise)
    }
}
