import NIOCore
import NIOTLS

/// Closes a connection whose TLS handshake takes too long, or that was idle for too long.
///
/// It follows the TLS handler, so everything it reads was encrypted. A ping counts as activity, so that a sender can
/// keep a connection open.
final class ConnectionDeadline: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    struct Times: Sendable, Hashable {
        var handshake = TimeAmount.seconds(10)
        var idle = TimeAmount.minutes(15)
    }

    private let times: Times
    private var deadline: Scheduled<Void>?
    private var lastRead = NIODeadline.uptimeNanoseconds(0)

    init(times: Times = Times()) { self.times = times }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: times.handshake) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent { watch(context) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        lastRead = context.eventLoop.now
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    /// Schedules a check for the time at which the idle limit would be exceeded. A timer for every read would cost
    /// more.
    private func watch(_ context: ChannelHandlerContext) {
        deadline?.cancel()
        lastRead = context.eventLoop.now
        look(NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop))
    }

    private func look(_ bound: NIOLoopBound<(handler: ConnectionDeadline, context: ChannelHandlerContext)>) {
        let (_, context) = bound.value
        let end = lastRead + times.idle
        guard end > context.eventLoop.now else { return context.close(promise: nil) }
        deadline = context.eventLoop.scheduleTask(deadline: end) { bound.value.handler.look(bound) }
    }
}
