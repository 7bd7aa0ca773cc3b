import HostInterface
import Logging
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL

/// The gateway's listening socket: HTTP/2 over TLS.
package final class GatewayServer: Sendable {
    /// Of one connection at a time.
    private static let streamLimit = 1000
    /// Of header fields, in bytes.
    private static let headerLimit = 16 << 10

    private let channel: any Channel
    /// Where it listens, with the port that was chosen.
    package let address: String
    package let port: Int

    /// Listens.
    ///
    /// - Parameters:
    ///   - address: Numeric.
    ///   - port: 0 for one of the system's choice.
    /// - Throws: ``HostError`` `host-unavailable` where the port is taken.
    package init(
        _ gateway: Gateway, address: String, port: Int, tls: TLSConfiguration, logger: Logger
    ) async throws(HostError) {
        do {
            let context = try NIOSSLContext(configuration: tls)
            channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.backlog, value: 256)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try Self.prepare(channel, context, gateway, logger)
                    }
                }
                .bind(host: address, port: port).get()
        } catch {
            throw HostError(.hostUnavailable, "The gateway cannot listen on \(address) port \(port): \(error)")
        }
        self.address = address
        self.port = channel.localAddress?.port ?? port
    }

    /// Takes no more connections, and ends those there are.
    package func close() async {
        try? await channel.close()
    }

    private static func prepare(
        _ channel: any Channel, _ context: NIOSSLContext, _ gateway: Gateway, _ logger: Logger
    ) throws {
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: streamLimit),
            HTTP2Setting(parameter: .maxHeaderListSize, value: headerLimit),
        ]
        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
        _ = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
            mode: .server, connectionConfiguration: connection, streamConfiguration: .init()
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandler(PushStreamHandler(gateway))
            }
        }
        try channel.pipeline.syncOperations.addHandler(ConnectionErrorHandler(logger))
    }
}

/// Ends a connection that broke a rule of TLS or HTTP/2.
private final class ConnectionErrorHandler: ChannelInboundHandler {
    typealias InboundIn = Any

    private let logger: Logger

    init(_ logger: Logger) { self.logger = logger }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        logger.debug("A connection ended", metadata: ["error": "\(error)"])
        context.close(promise: nil)
    }
}

/// One request and its answer.
private final class PushStreamHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let gateway: Gateway
    private var fields: [String: String] = [:]
    private var payload: [UInt8] = []
    private var isAnswered = false

    init(_ gateway: Gateway) { self.gateway = gateway }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let headers):
            for (name, value, _) in headers.headers where fields[name] == nil { fields[name] = value }
            if headers.endStream { answer(context) }
        case .data(let data):
            if case .byteBuffer(var buffer) = data.data {
                // One byte too many is enough to know.
                let room = PushRequest.payloadLimit + 1 - payload.count
                payload += buffer.readBytes(length: min(room, buffer.readableBytes)) ?? []
            }
            if data.endStream { answer(context) }
        default: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func answer(_ context: ChannelHandlerContext) {
        guard !isAnswered else { return }
        isAnswered = true
        let answer = gateway.answer(
            method: fields[":method"] ?? "", path: fields[":path"] ?? "", fields: fields, payload: payload)
        let channel = context.channel
        Task {
            let answer = await answer.value
            var headers = HPACKHeaders([(":status", "\(answer.status)"), ("apns-id", answer.identifier)])
            if !answer.body.isEmpty { headers.add(name: "content-type", value: "application/json") }
            if let seconds = answer.retryAfter { headers.add(name: "retry-after", value: "\(seconds)") }
            let head = HTTP2Frame.FramePayload.headers(.init(headers: headers, endStream: answer.body.isEmpty))
            channel.write(head, promise: nil)
            if !answer.body.isEmpty {
                let body = HTTP2Frame.FramePayload.data(
                    .init(data: .byteBuffer(ByteBuffer(string: answer.body)), endStream: true))
                channel.write(body, promise: nil)
            }
            channel.flush()
        }
    }
}
