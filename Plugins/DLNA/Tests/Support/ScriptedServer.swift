import NIOCore
import NIOPosix
import Synchronization

/// A TCP server on loopback that misbehaves as told: it reads one request and answers with raw bytes.
final class ScriptedServer: Sendable {
    enum Reply: Sendable {
        /// Sends the bytes and closes.
        case bytes([UInt8])
        /// Sends the bytes, and then neither closes nor continues.
        case silence(after: [UInt8])
        /// Sends the same bytes again and again until the other side leaves.
        case endless([UInt8])
        /// Sends the first bytes, then one every 50 ms until the other side leaves.
        case drip(after: [UInt8])

        static func answer(_ status: String, _ headers: [String] = [], _ body: String = "") -> Reply {
            let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + headers
            return .bytes(Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
        }
    }

    private let channel: any Channel

    private init(channel: any Channel) { self.channel = channel }

    /// - Parameter reply: From the text of the request, head and body.
    static func start(
        on group: any EventLoopGroup, reply: @escaping @Sendable (String) -> Reply
    ) async throws -> ScriptedServer {
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ScriptedHandler(reply))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return ScriptedServer(channel: channel)
    }

    var port: Int { channel.localAddress?.port ?? 0 }

    func close() async { try? await channel.close() }
}

private final class ScriptedHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let reply: @Sendable (String) -> ScriptedServer.Reply
    private var received = ""
    private var isAnswered = false

    init(_ reply: @escaping @Sendable (String) -> ScriptedServer.Reply) { self.reply = reply }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += String(buffer: unwrapInboundIn(data))
        guard !isAnswered, isComplete else { return }
        isAnswered = true
        switch reply(received) {
        case .bytes(let bytes):
            let channel = context.channel
            channel.writeAndFlush(ByteBuffer(bytes: bytes)).whenComplete { _ in channel.close(promise: nil) }
        case .silence(let bytes): context.channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
        case .drip(let bytes):
            let channel = context.channel
            channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
            let dripping = context.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(50)) { _ in
                channel.writeAndFlush(ByteBuffer(string: "x"), promise: nil)
            }
            channel.closeFuture.whenComplete { _ in dripping.cancel() }
        case .endless(let bytes): Self.repeatForever(bytes, context.channel)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private static func repeatForever(_ bytes: [UInt8], _ channel: any Channel) {
        channel.writeAndFlush(ByteBuffer(bytes: bytes)).whenSuccess { repeatForever(bytes, channel) }
    }

    private var isComplete: Bool {
        guard let end = received.firstRange(of: "\r\n\r\n") else { return false }
        let length = received[..<end.lowerBound].lowercased().split(separator: "\r\n")
            .first { $0.hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst(15).trimmingPrefix(" ")) }
        return received[end.upperBound...].utf8.count >= length ?? 0
    }
}
