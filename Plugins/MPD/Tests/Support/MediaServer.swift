import NIOCore
import NIOPosix

/// A small HTTP server on loopback with something to play, ranges included.
final class MediaServer: Sendable {
    private let channel: any Channel

    /// `/tone.wav` sixty seconds, `/short.wav` one, `/text.txt` no media at all; everything else is not found.
    init() async throws {
        let bodies = [
            "/tone.wav": Waveform.tone(seconds: 60), "/short.wav": Waveform.tone(seconds: 1),
            "/text.txt": Array(String(repeating: "no media\n", count: 500).utf8),
        ]
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(MediaHandler(bodies))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)\(path)" }

    func stop() async { try? await channel.close() }
}

private final class MediaHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let bodies: [String: [UInt8]]
    private var received = ""

    init(_ bodies: [String: [UInt8]]) { self.bodies = bodies }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += String(buffer: unwrapInboundIn(data))
        guard received.contains("\r\n\r\n") else { return }
        let lines = received.split(separator: "\r\n")
        received = ""
        let target = lines.first?.split(separator: " ").dropFirst().first ?? ""
        let path = String(target.prefix { $0 != "?" })
        guard let body = bodies[path] else { return respond("404 Not Found", "text/plain", [], context) }
        let type = path.hasSuffix(".wav") ? "audio/wav" : "text/plain"
        let range = lines.first { $0.lowercased().hasPrefix("range: bytes=") }
        let start = range.flatMap { Int($0.dropFirst(13).prefix { $0 != "-" }) } ?? 0
        guard start > 0, start < body.count else { return respond("200 OK", type, body[...], context) }
        respond(
            "206 Partial Content\r\nContent-Range: bytes \(start)-\(body.count - 1)/\(body.count)", type,
            body[start...],
            context)
    }

    private func respond(_ status: String, _ type: String, _ body: ArraySlice<UInt8>, _ context: ChannelHandlerContext)
    {
        let head =
            "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\nAccept-Ranges: bytes\r\n"
            + "Connection: close\r\n\r\n"
        var buffer = ByteBuffer(string: head)
        buffer.writeBytes(body)
        let channel = context.channel
        context.writeAndFlush(NIOAny(buffer)).whenComplete { _ in channel.close(promise: nil) }
    }
}
