import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// A server with one picture, and with the usual faults of servers.
enum PictureServer {
    static let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47]

    /// - Parameters:
    ///   - tls: `nil` for a server without.
    ///   - body: Gets its address.
    static func with(_ tls: TLSConfiguration?, _ body: (String) async throws -> Void) async throws {
        var tls = tls
        tls?.applicationProtocols = []
        let context = try tls.map { try NIOSSLContext(configuration: $0) }
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let context { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(Answers())
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let result: Result<Void, any Error>
        do {
            try await body("\(tls == nil ? "http" : "https")://127.0.0.1:\(server.localAddress?.port ?? 0)")
            result = .success(())
        } catch {
            result = .failure(error)
        }
        try await server.close()
        try result.get()
    }

    private final class Answers: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(let request) = unwrapInboundIn(data) else { return }
            switch request.uri {
            case "/cover.png": answer(context, .ok, body: PictureServer.picture)
            case "/moved": answer(context, .found, ["Location": "/cover.png"])
            case "/to-a-file": answer(context, .found, ["Location": "file:///etc/hostname"])
            case "/endless": answer(context, .ok, body: Array(repeating: 0, count: 17 << 20))
            default: answer(context, .notFound)
            }
        }

        private func answer(
            _ context: ChannelHandlerContext, _ status: HTTPResponseStatus, _ headers: HTTPHeaders = [:],
            body: [UInt8] = []
        ) {
            var headers = headers
            headers.add(name: "Content-Length", value: "\(body.count)")
            context.write(
                wrapOutboundOut(.head(.init(version: .http1_1, status: status, headers: headers))), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}
