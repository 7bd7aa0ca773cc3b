import NIOCore
import NIOEmbedded
import Testing

@testable import HostSockets

@Suite struct AdmissionHandlerTests {
    private func channel(admits: Bool) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: AdmissionHandler { _ in admits })
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
        return channel
    }

    @Test func aStrangerIsHungUpOn() throws {
        let stranger = try channel(admits: false)
        #expect(!stranger.isActive)
    }

    @Test func aDeviceThatDoesNotAskInTimeIsHungUpOn() throws {
        let silent = try channel(admits: true)
        let asking = try channel(admits: true)
        #expect(silent.isActive && asking.isActive)
        asking.pipeline.fireChannelRead(ByteBuffer())
        for channel in [silent, asking] { channel.embeddedEventLoop.advanceTime(by: AdmissionHandler.patience) }
        #expect(!silent.isActive && asking.isActive)
    }
}
