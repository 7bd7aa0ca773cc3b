import Foundation
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL

/// A server's connection to one gateway by HTTP/2, made again when it breaks.
actor Provider {
    struct Broken: Error {}

    private typealias Multiplexer = NIOHTTP2Handler.StreamMultiplexer

    private let port: Int
    private let context: NIOSSLContext
    private var connecting: Task<(any Channel, Multiplexer), any Error>?

    /// - Parameter authority: PEM file of the gateway's certificate authority.
    init(port: Int, authority: String) throws {
        self.port = port
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .file(authority)
        configuration.applicationProtocols = ["h2"]
        context = try NIOSSLContext(configuration: configuration)
    }

    /// - Returns: The status.
    /// - Throws: An error without an answer.
    func post(token: String, fields: [(String, String)], payload: [UInt8]) async throws -> Int {
        let (channel, multiplexer) = try await connection()
        let answer = channel.eventLoop.makePromise(of: Int.self)
        let opened = channel.eventLoop.makePromise(of: (any Channel).self)
        multiplexer.createStreamChannel(promise: opened) { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandler(AnswerHandler(answer))
            }
        }
        let stream: any Channel
        do {
            stream = try await opened.futureResult.get()
        } catch {
            answer.fail(error)
            throw error
        }
        let headers = HPACKHeaders(
            [
                (":method", "POST"), (":scheme", "https"), (":authority", "127.0.0.1"),
                (":path", "/3/device/" + token),
            ] + fields)
        stream.write(HTTP2Frame.FramePayload.headers(.init(headers: headers)), promise: nil)
        let body = HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(ByteBuffer(bytes: payload)), endStream: true))
        stream.writeAndFlush(body, promise: nil)
        return try await answer.futureResult.get()
    }

    private func connection() async throws -> (any Channel, Multiplexer) {
        if let connecting {
            if let (channel, multiplexer) = try? await connecting.value, channel.isActive {
                return (channel, multiplexer)
            }
            if self.connecting == connecting { self.connecting = nil }
        }
        let task = connecting ?? Task { try await connect() }
        connecting = task
        return try await task.value
    }

    private func connect() async throws -> (any Channel, Multiplexer) {
        let multiplexer = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: Multiplexer.self)
        do {
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(.seconds(2))
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelInitializer { [context] channel in
                    channel.eventLoop.makeCompletedFuture {
                        let operations = channel.pipeline.syncOperations
                        try operations.addHandler(NIOSSLClientHandler(context: context, serverHostname: nil))
                        multiplexer.succeed(
                            try operations.configureHTTP2Pipeline(
                                mode: .client, connectionConfiguration: .init(), streamConfiguration: .init()
                            ) { $0.eventLoop.makeSucceededVoidFuture() })
                    }
                }
                .connect(host: "127.0.0.1", port: port).get()
            return (channel, try await multiplexer.futureResult.get())
        } catch {
            multiplexer.fail(error)
            throw error
        }
    }
}

/// The answer to one request.
private final class AnswerHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload

    private let answer: EventLoopPromise<Int>
    private var status = 0

    init(_ answer: EventLoopPromise<Int>) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let headers):
            status = headers.headers.first(name: ":status").flatMap { Int($0) } ?? 0
            if headers.endStream { answer.succeed(status) }
        case .data(let data) where data.endStream: answer.succeed(status)
        default: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { answer.fail(error) }

    func channelInactive(context: ChannelHandlerContext) { answer.fail(Provider.Broken()) }
}
