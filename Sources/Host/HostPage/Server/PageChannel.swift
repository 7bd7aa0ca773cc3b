import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// A connection of a browser: HTTP/1.1, with targets that are paths alone.
struct PageChannel: ServerChildChannel {
    typealias Value = HTTP1Channel.Value

    let http: HTTP1Channel

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        http.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(OriginFormHandler(), position: .after(decoder))
            return value
        }
    }

    func handle(value: Value, logger: Logger) async { await http.handle(value: value, logger: logger) }
}

/// Keeps a target that isn't a path, such as `http://other.example/page`, from being taken for the path in it (RFC 9112 §3.2.2:
/// the server named there would count, rather than `Host`). ``RequestRules`` refuses the `*` that it becomes.
private final class OriginFormHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data), !head.uri.hasPrefix("/") else {
            return context.fireChannelRead(data)
        }
        head.uri = "*"
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }
}
