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

    /// The writer of a connection that became active has to be finished by somebody.
    @Test func onlyAdmittedConnectionsBecomeActive() throws {
        for admits in [true, false] {
            let channel = EmbeddedChannel(
                handlers: [AdmissionHandler { _ in admits }, ActivationRecorder()], loop: EmbeddedEventLoop())
            channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
            let recorder = try channel.pipeline.syncOperations.handler(type: ActivationRecorder.self)
            #expect(recorder.becameActive == admits)
        }
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

private final class ActivationRecorder: ChannelInboundHandler {
    typealias InboundIn = Any
    private(set) var becameActive = false

    func channelActive(context: ChannelHandlerContext) { becameActive = true }
}
