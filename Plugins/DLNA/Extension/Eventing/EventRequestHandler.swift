import DLNAProtocol
import NIOCore
import NIOHTTP1

/// One connection of a device that brings events.
final class EventRequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let table: EventServer.Table
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    private var isRefused = false

    init(table: EventServer.Table) {
        self.table = table
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = []
            if let status = refusal(of: head, context) { refuse(status, context) }
        case .body(let buffer):
            guard body.count + buffer.readableBytes <= EventServer.bodyLimit else {
                return refuse(.payloadTooLarge, context)
            }
            body.append(contentsOf: buffer.readableBytesView)
        case .end:
            deliver(context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func refusal(of head: HTTPRequestHead, _ context: ChannelHandlerContext) -> HTTPResponseStatus? {
        guard let registration = table[head.uri] else { return .notFound }
        guard let peer = context.remoteAddress?.ipAddress, Self.isSame(peer, registration.device) else {
            return .forbidden
        }
        guard head.method == .NOTIFY else { return .methodNotAllowed }
        guard (try? EventHeaders(head.headers)) != nil else { return .badRequest }
        return nil
    }

    private func deliver(_ context: ChannelHandlerContext) {
        guard let head, let registration = table[head.uri], let headers = try? EventHeaders(head.headers) else {
            return refuse(.notFound, context)
        }
        self.head = nil
        let bytes = body
        body = []
        let reception = context.eventLoop.makeFutureWithTask { await registration.receive(headers, bytes) }
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        reception.whenComplete { result in
            let (handler, context) = bound.value
            guard context.channel.isActive else { return }
            let isForeign = if case .success(.foreign) = result { true } else { false }
            handler.answer(isForeign ? .preconditionFailed : .ok, keepAlive: head.isKeepAlive, context)
        }
    }

    private func refuse(_ status: HTTPResponseStatus, _ context: ChannelHandlerContext) {
        isRefused = true
        answer(status, keepAlive: false, context)
    }

    private func answer(_ status: HTTPResponseStatus, keepAlive: Bool, _ context: ChannelHandlerContext) {
        var head = HTTPResponseHead(version: .http1_1, status: status, headers: ["Content-Length": "0"])
        if !keepAlive { head.headers.add(name: "Connection", value: "close") }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        let written = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
        guard !keepAlive else { return }
        let channel = context.channel
        written.futureResult.whenComplete { _ in channel.close(promise: nil) }
    }

    /// IPv4 may arrive in IPv6's clothes.
    private static func isSame(_ peer: String, _ device: String) -> Bool {
        let bare = LocalAddress.withoutZone(peer)
        return bare == device || bare == "::ffff:" + device
    }
}

extension EventHeaders {
    fileprivate init(_ headers: HTTPHeaders) throws(DLNAError) {
        try self.init(
            type: headers.first(name: "NT"), subtype: headers.first(name: "NTS"),
            identifier: headers.first(name: "SID"),
            sequence: headers.first(name: "SEQ"))
    }
}
