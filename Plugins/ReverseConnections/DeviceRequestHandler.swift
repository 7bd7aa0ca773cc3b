import NIOCore
import NIOHTTP1

/// One connection of a device to a ``DeviceServer``.
final class DeviceRequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let bounds: DeviceServer.Bounds
    private let responder: any DeviceServer.Responder
    private var request: DeviceServer.Request?
    private var body: [UInt8] = []
    private var isRefused = false
    private var deadline: Scheduled<Void>?

    init(bounds: DeviceServer.Bounds, responder: any DeviceServer.Responder) {
        self.bounds = bounds
        self.responder = responder
    }

    func channelActive(context: ChannelHandlerContext) {
        expectRequest(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            let peer = String((context.remoteAddress?.ipAddress ?? "").prefix { $0 != "%" })
            let request = DeviceServer.Request(head: head, peer: peer)
            self.request = request
            body = []
            if let status = responder.refusal(of: request) { refuse(status, context) }
        case .body(let buffer):
            guard body.count + buffer.readableBytes <= bounds.body else { return refuse(.payloadTooLarge, context) }
            body.append(contentsOf: buffer.readableBytesView)
        case .end:
            deliver(context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    /// Starts the time limit for a whole request, so that a slow sender can't hold a connection for ever.
    private func expectRequest(_ context: ChannelHandlerContext) {
        deadline?.cancel()
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: bounds.patience) { channel.close(promise: nil) }
    }

    private func deliver(_ context: ChannelHandlerContext) {
        deadline?.cancel()
        guard let request else { return }
        let bytes = body
        self.request = nil
        body = []
        let answer = context.eventLoop.makeFutureWithTask { [responder] in await responder.answer(request, bytes) }
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        answer.whenSuccess { status in
            let (handler, context) = bound.value
            guard context.channel.isActive else { return }
            handler.answer(status, keepAlive: request.head.isKeepAlive, context)
        }
    }

    private func refuse(_ status: HTTPResponseStatus, _ context: ChannelHandlerContext) {
        isRefused = true
        answer(status, keepAlive: false, context)
    }

    private func answer(_ status: HTTPResponseStatus, keepAlive: Bool, _ context: ChannelHandlerContext) {
        // Before the answer goes out: the next request may come with that.
        expectRequest(context)
        var head = HTTPResponseHead(version: .http1_1, status: status, headers: ["Content-Length": "0"])
        if !keepAlive { head.headers.add(name: "Connection", value: "close") }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        let written = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
        guard !keepAlive else { return }
        let channel = context.channel
        written.futureResult.whenComplete { _ in channel.close(promise: nil) }
    }
}
