import NIOCore

/// Lets only the devices that something is offered to stay connected, and only while they ask in time.
final class DeviceOnlyHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    /// The time limit for the head of the first request, from the connection.
    static let patience = TimeAmount.seconds(10)

    private let admits: @Sendable (any Channel) -> Bool
    private let patience: TimeAmount
    private var deadline: Scheduled<Void>?

    /// - Parameter admits: Asked once, when the connection is there.
    init(patience: TimeAmount = DeviceOnlyHandler.patience, admits: @escaping @Sendable (any Channel) -> Bool) {
        self.admits = admits
        self.patience = patience
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        if deadline == nil { begin(context) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // It lies behind the decoder, so the first that comes is a whole head.
        deadline?.cancel()
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    private func begin(_ context: ChannelHandlerContext) {
        let channel = context.channel
        guard admits(channel) else { return channel.close(promise: nil) }
        deadline = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
    }
}
