import DeviceDiscovery
import Dispatch
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// A WebSocket client (RFC 6455): opening request, masking, pings and the closing handshake.
final class WebSocketHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = ReceiveQueue.Message
    typealias OutboundIn = ConnectionMachine.Send
    typealias OutboundOut = WebSocketFrame

    /// An event that reports that the server accepted the WebSocket.
    struct Opened: Sendable {}

    private static let greatestMessage = 16 << 20

    private let repliesToPings: Bool
    private var pongs: CircularBuffer<(queue: DispatchQueue, handler: @Sendable (NWError?) -> Void)> = []
    private var closeIsSent = false

    private init(_ options: NWProtocolWebSocket.Options) { repliesToPings = options.autoReplyPing }

    /// Sends the opening request; ``Opened`` or an error follows in the channel.
    static func open(
        _ channel: any Channel, before handler: ConnectionHandler, _ options: NWProtocolWebSocket.Options,
        request: (host: String, path: String)
    ) throws {
        let limit = options.maximumMessageSize > 0 ? options.maximumMessageSize : greatestMessage
        let pipeline = channel.pipeline.syncOperations
        let refusal = RefusedUpgrade()
        let end = NIOLoopBound(handler, eventLoop: channel.eventLoop)
        let upgrader = NIOWebSocketClientUpgrader(maxFrameSize: min(limit, Int(UInt32.max))) { channel, _ in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                let frames = NIOWebSocketFrameAggregator(
                    minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 1 << 16, maxAccumulatedFrameSize: limit)
                // NIO adds its frames at the end: the handler that ends the pipeline moves behind them.
                pipeline.removeHandler(end.value, promise: nil)
                try pipeline.addHandler(frames)
                try pipeline.addHandler(WebSocketHandler(options))
                try pipeline.addHandler(end.value)
                channel.pipeline.fireUserInboundEventTriggered(Opened())
            }
        }
        let refused = NIOLoopBound(refusal, eventLoop: channel.eventLoop)
        let config: NIOHTTPClientUpgradeConfiguration = (
            upgraders: [upgrader],
            completionHandler: { context in
                context.pipeline.syncOperations.removeHandler(refused.value, promise: nil)
            }
        )
        // HTTP goes before the handler that ends the pipeline.
        let encoder = HTTPRequestEncoder()
        let decoder = ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .forwardBytes))
        let upgrade = NIOHTTPClientUpgradeHandler(
            upgraders: config.upgraders, httpHandlers: [encoder, decoder],
            upgradeCompletionHandler: config.completionHandler)
        try pipeline.addHandler(encoder, position: .before(handler))
        try pipeline.addHandler(decoder, position: .before(handler))
        try pipeline.addHandler(upgrade, position: .before(handler))
        try pipeline.addHandler(refusal, position: .before(handler))
        var headers = HTTPHeaders([("Host", request.host), ("Content-Length", "0")])
        for (name, value) in options.additionalHeaders { headers.replaceOrAdd(name: name, value: value) }
        if !options.subprotocols.isEmpty {
            headers.add(name: "Sec-WebSocket-Protocol", value: options.subprotocols.joined(separator: ", "))
        }
        refusal.send(HTTPRequestHead(version: .http1_1, method: .GET, uri: request.path, headers: headers))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        var content = frame.unmaskedData
        switch frame.opcode {
        case .text, .binary:
            let opcode: NWProtocolWebSocket.Opcode = frame.opcode == .text ? .text : .binary
            deliver(context, content, NWProtocolWebSocket.Metadata(opcode: opcode))
        case .ping:
            if repliesToPings {
                context.writeAndFlush(wrapOutboundOut(masked(.pong, content)), promise: nil)
            } else {
                deliver(context, content, NWProtocolWebSocket.Metadata(opcode: .ping))
            }
        case .pong:
            if let (queue, handler) = pongs.popFirst() { queue.async { handler(nil) } }
        case .connectionClose:
            let metadata = NWProtocolWebSocket.Metadata(opcode: .close)
            if let code = content.readInteger(as: UInt16.self) {
                metadata.closeCode = NWProtocolWebSocket.CloseCode(number: code)
            }
            deliver(context, content, metadata)
            reply(context, to: frame.unmaskedData)
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        default: break
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let send = unwrapOutboundIn(data)
        let metadata = send.metadata as? NWProtocolWebSocket.Metadata
        let opcode = metadata?.opcode ?? .binary
        var content = send.content ?? ByteBuffer()
        if opcode == .close {
            closeIsSent = true
            var body = ByteBuffer(integer: (metadata?.closeCode ?? .protocolCode(.normalClosure)).number)
            body.writeBuffer(&content)
            content = body
        }
        if opcode == .ping, let handler = metadata?.pongHandler {
            // Don't store pings without limit for a server that answers none.
            if pongs.count < 64 {
                pongs.append(handler)
            } else {
                handler.queue.async { handler.handler(.posix(.ENOBUFS)) }
            }
        }
        context.write(wrapOutboundOut(masked(WebSocketOpcode(opcode), content)), promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if !closeIsSent, context.channel.isActive {
            let code = NWProtocolWebSocket.CloseCode.protocolCode(.normalClosure).number
            reply(context, to: ByteBuffer(integer: code))
        }
        context.close(mode: .all, promise: promise)
    }

    func channelInactive(context: ChannelHandlerContext) {
        for (queue, handler) in pongs { queue.async { handler(.posix(.ECONNABORTED)) } }
        pongs = []
        context.fireChannelInactive()
    }

    private func deliver(
        _ context: ChannelHandlerContext, _ content: ByteBuffer, _ metadata: NWProtocolWebSocket.Metadata
    ) {
        context.fireChannelRead(wrapInboundOut(ReceiveQueue.Message(content: content, metadata: metadata)))
    }

    private func reply(_ context: ChannelHandlerContext, to body: ByteBuffer) {
        guard !closeIsSent else { return }
        closeIsSent = true
        context.writeAndFlush(wrapOutboundOut(masked(.connectionClose, body)), promise: nil)
    }

    private func masked(_ opcode: WebSocketOpcode, _ content: ByteBuffer) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: content)
    }
}

/// A handler that sends the opening request, and turns any answer that doesn't accept the WebSocket into an error.
private final class RefusedUpgrade: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any
    typealias OutboundOut = HTTPClientRequestPart

    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func send(_ head: HTTPRequestHead) {
        context?.write(wrapOutboundOut(.head(head)), promise: nil)
        context?.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard unwrapInboundIn(data) is HTTPClientResponsePart else { return context.fireChannelRead(data) }
        context.fireErrorCaught(NWError.posix(.EPROTO))
    }
}

extension WebSocketOpcode {
    init(_ opcode: NWProtocolWebSocket.Opcode) {
        switch opcode {
        case .cont: self = .continuation
        case .text: self = .text
        case .binary: self = .binary
        case .close: self = .connectionClose
        case .ping: self = .ping
        case .pong: self = .pong
        }
    }
}
