package import NIOCore

/// Lets only admitted peers stay connected, and only while they ask in time.
package final class AdmissionHandler: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = Any

    /// The time limit for the head of the first request, from the connection.
    package static let patience = TimeAmount.seconds(10)

    private let admits: @Sendable (any Channel) -> Bool
    private let patience: TimeAmount
    private var deadline: Scheduled<Void>?

    /// - Parameter admits: Asked once, when the connection is there.
    package init(patience: TimeAmount = AdmissionHandler.patience, admits: @escaping @Sendable (any Channel) -> Bool) {
        self.admits = admits
        self.patience = patience
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { begin(context) }
    }

    package func channelActive(context: ChannelHandlerContext) {
        // A connection that its server drops, because it stops listening, must not become active: from then on, somebody has
        // to finish its writer (NIOAsyncWriter traps otherwise).
        guard deadline != nil || begin(context) else { return }
        context.fireChannelActive()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // This handler is behind the decoder, so its first message is a complete head.
        deadline?.cancel()
        context.fireChannelRead(data)
    }

    package func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    /// - Returns: `false` if the connection is refused and closed.
    @discardableResult
    private func begin(_ context: ChannelHandlerContext) -> Bool {
        let channel = context.channel
        guard admits(channel) else {
            channel.close(promise: nil)
            return false
        }
        deadline = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
        return true
    }
}
