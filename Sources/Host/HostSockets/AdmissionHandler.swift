import NIOCore

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
        context.fireChannelActive()
        if deadline == nil { begin(context) }
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

    private func begin(_ context: ChannelHandlerContext) {
        let channel = context.channel
        guard admits(channel) else { return channel.close(promise: nil) }
        deadline = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
    }
}
