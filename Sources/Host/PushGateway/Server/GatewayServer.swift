import ConnectionLimits
package import HostInterface
package import Logging
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL

/// The gateway's listening socket: HTTP/2 over TLS.
package final class GatewayServer: Sendable {
    /// The maximum number of concurrent streams of a connection.
    private static let streamLimit = 100
    /// The maximum number of concurrent streams of all connections, except for those that ``StreamAdmission`` admits anyway.
    private static let allStreamsLimit = 2_000
    private static let connectionLimit = 512
    /// Beyond the limit, while those that make room are closing.
    private static let connectionExcess = 64
    private static let connectionsPerPeer = 64
    /// The maximum size of the header fields in bytes.
    private static let headerLimit = 16 << 10

    private let channel: any Channel
    /// The server's address, with the chosen port.
    package let address: String
    package let port: Int

    /// Starts listening.
    ///
    /// - Parameters:
    ///   - address: A numeric address.
    ///   - port: The port; 0 to let the system choose.
    /// - Throws: ``HostError`` `host-unavailable` if the port is in use.
    package convenience init(
        _ gateway: Gateway, address: String, port: Int, tls: GatewayTLS, logger: Logger
    ) async throws(HostError) {
        try await self.init(gateway, address: address, port: port, tls: tls, times: .init(), logger: logger)
    }

    /// - Parameter times: The deadlines of each connection.
    init(
        _ gateway: Gateway, address: String, port: Int, tls: GatewayTLS, times: ConnectionDeadline.Times,
        logger: Logger
    ) async throws(HostError) {
        do {
            let connections = ConnectionLimit(
                total: Self.connectionLimit + Self.connectionExcess, perPeer: Self.connectionsPerPeer)
            let unproven = UnprovenConnections()
            let streams = ConnectionLimit(total: Self.allStreamsLimit, perPeer: Self.allStreamsLimit / 2)
            channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.backlog, value: 4096)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { channel in
                    let peer = PeerName.of(channel.remoteAddress)
                    guard connections.admit(peer) else { return channel.close() }
                    unproven.add(channel, of: peer)
                    channel.closeFuture.whenComplete { _ in
                        connections.leave(peer)
                        unproven.remove(channel)
                    }
                    if connections.count > Self.connectionLimit { unproven.closeOne() }
                    return channel.eventLoop.makeCompletedFuture {
                        try Self.prepare(channel, peer, tls.context(), times, gateway, streams, unproven, logger)
                    }
                }
                .bind(host: address, port: port).get()
        } catch {
            throw HostError(
                .hostUnavailable,
                "The gateway cannot listen on \(address) port \(port): \(FailureReason.text(of: error))")
        }
        self.address = address
        self.port = channel.localAddress?.port ?? port
    }

    /// Stops listening, and closes all connections.
    package func close() async {
        try? await channel.close()
    }

    private static func prepare(
        _ channel: any Channel, _ peer: String, _ context: NIOSSLContext, _ times: ConnectionDeadline.Times,
        _ gateway: Gateway, _ streams: ConnectionLimit, _ unproven: UnprovenConnections, _ logger: Logger
    ) throws {
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: streamLimit),
            HTTP2Setting(parameter: .maxHeaderListSize, value: headerLimit),
        ]
        let admission = StreamAdmission(streams, peer: peer)
        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
        try channel.pipeline.syncOperations.addHandler(ConnectionDeadline(times: times))
        _ = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
            mode: .server, connectionConfiguration: connection, streamConfiguration: .init()
        ) { stream in
            guard let leave = admission.admit() else { return stream.eventLoop.makeFailedFuture(TooManyStreams()) }
            stream.closeFuture.whenComplete { _ in leave() }
            return stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandler(
                    PushStreamHandler(gateway, peer: peer) {
                        unproven.remove(channel)
                        admission.prove()
                    })
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

private struct TooManyStreams: Error {}

/// One request and its answer.
private final class PushStreamHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    /// The time limit for the whole request.
    private static let patience = TimeAmount.seconds(10)

    private let gateway: Gateway
    private let peer: String
    private let accepted: @Sendable () -> Void
    private var deadline: Scheduled<Void>?
    private var fields: [String: String] = [:]
    private var payload: [UInt8] = []
    private var isAnswered = false

    /// - Parameter accepted: Called for a request of a sender that is allowed.
    init(_ gateway: Gateway, peer: String, accepted: @escaping @Sendable () -> Void) {
        self.gateway = gateway
        self.peer = peer
        self.accepted = accepted
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let stream = context.channel
        deadline = context.eventLoop.scheduleTask(in: Self.patience) { stream.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

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
        deadline?.cancel()
        let answer = gateway.answer(
            method: fields[":method"] ?? "", path: fields[":path"] ?? "", fields: fields, payload: payload,
            peer: peer)
        let channel = context.channel
        Task { [accepted] in
            let answer = await answer.value
            if [200, 410].contains(answer.status) { accepted() }
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
