import NIOCore
import NIOEmbedded
import NIOTLS
import Testing

@testable import PushGateway

@Suite struct ConnectionDeadlineTests {
    private let times = ConnectionDeadline.Times()

    private func channel() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: ConnectionDeadline())
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
        return channel
    }

    @Test func aHandshakeThatTakesTooLongEndsTheConnection() throws {
        let channel = try channel()
        channel.embeddedEventLoop.advanceTime(by: times.handshake)
        #expect(!channel.isActive)
    }

    @Test func anIdleConnectionEndsAndOneThatIsUsedStays() throws {
        let idle = try channel()
        let used = try channel()
        for channel in [idle, used] {
            channel.pipeline.fireUserInboundEventTriggered(TLSUserEvent.handshakeCompleted(negotiatedProtocol: "h2"))
            channel.embeddedEventLoop.advanceTime(by: times.idle - .seconds(1))
        }
        used.pipeline.fireChannelRead(ByteBuffer())
        for channel in [idle, used] { channel.embeddedEventLoop.advanceTime(by: .seconds(2)) }
        #expect(!idle.isActive && used.isActive)
        used.embeddedEventLoop.advanceTime(by: times.idle)
        #expect(!used.isActive)
    }
}
