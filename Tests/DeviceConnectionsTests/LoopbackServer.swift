import DeviceConnections
import DeviceDiscovery
import NIOCore
import NIOPosix
import NIOSSL

/// A TCP server on the loopback interface that greets, and answers each piece it reads.
final class LoopbackServer: Sendable {
    private let channel: any Channel

    /// - Parameters:
    ///   - greeting: Sent to every connection.
    ///   - tls: The certificate and the key; `nil` for plain TCP.
    ///   - answer: The bytes sent for the bytes read; `nil` closes the connection.
    init(
        greeting: String = "", tls: TestCertificate? = nil, answer: @escaping @Sendable (String) -> String?
    ) async throws {
        let context = try tls.map { try NIOSSLContext(configuration: $0.serverConfiguration()) }
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let context {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    }
                    try channel.pipeline.syncOperations.addHandler(Handler(greeting: greeting, answer: answer))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    var endpoint: NWEndpoint {
        .hostPort(host: "127.0.0.1", port: NWEndpoint.Port(rawValue: UInt16(channel.localAddress?.port ?? 0)) ?? 1)
    }

    func stop() async throws { try await channel.close() }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer
        private let greeting: String
        private let answer: @Sendable (String) -> String?

        init(greeting: String, answer: @escaping @Sendable (String) -> String?) {
            self.greeting = greeting
            self.answer = answer
        }

        func channelActive(context: ChannelHandlerContext) {
            if !greeting.isEmpty { send(greeting, context) }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let text = String(decoding: unwrapInboundIn(data).readableBytesView, as: UTF8.self)
            guard let reply = answer(text) else { return context.close(promise: nil) }
            if !reply.isEmpty { send(reply, context) }
        }

        private func send(_ text: String, _ context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        }
    }
}
