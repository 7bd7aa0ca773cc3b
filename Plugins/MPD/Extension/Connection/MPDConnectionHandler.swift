import NIOCore

/// Hands a channel's events to its ``MPDConnection``, whose executor is the channel's event loop.
final class MPDConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let connection: MPDConnection

    init(connection: MPDConnection) { self.connection = connection }

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        connection.assumeIsolated { $0.channelActive(channel) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        connection.assumeIsolated { $0.channelRead(buffer) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection.assumeIsolated { $0.channelEnded("the server closed it") }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let reason = MPDConnection.describe(error)
        connection.assumeIsolated { $0.channelEnded(reason) }
    }
}
