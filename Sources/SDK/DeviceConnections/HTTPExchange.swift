public import DeviceDiscovery
import NIOCore
import NIOHTTP1
import NIOPosix

/// An HTTP/1.1 request to a device's web server. Each request has its own connection, without redirects, proxies or
/// cookies.
public struct HTTPExchange: Sendable {
    /// The HTTP method.
    public var method = "GET"
    /// The path with its query. It begins with `/`.
    public var path: String
    /// Additional header fields. ``send(toAnyOf:)`` sets `Host`, `Content-Length` and `Connection`.
    public var headers: [String: String] = [:]
    /// The body of the request.
    public var body: [UInt8] = []
    /// The time from the connection to the last byte of the answer.
    public var limit = Duration.seconds(10)
    /// The longest body of an answer, in bytes.
    public var longestAnswer = 1 << 20

    /// Creates a `GET` request.
    public init(path: String) { self.path = path }

    /// An answer with any status.
    public struct Answer: Sendable, Hashable {
        /// The HTTP status code.
        public let status: Int
        /// The body, at most ``HTTPExchange/longestAnswer`` bytes.
        public let body: [UInt8]
    }

    /// Sends the request to the first address that accepts a connection.
    ///
    /// - Parameter endpoints: Addresses with ports, in order of preference.
    /// - Returns: The answer, whatever its status.
    /// - Throws: ``TransportFailure``. A request that was sent isn't repeated at the next address.
    public func send(toAnyOf endpoints: [NWEndpoint]) async throws(TransportFailure) -> Answer {
        var failure = TransportFailure.unreachable("it has no address")
        for endpoint in endpoints {
            let eventLoop = Transport.group.next()
            let promise = eventLoop.makePromise(of: Answer.self)
            let exchange = self
            do throws(TransportFailure) {
                _ = try await Transport.connect(to: endpoint, on: eventLoop, within: min(limit, .seconds(5))) {
                    channel in
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    try channel.pipeline.syncOperations.addHandler(
                        HTTPExchangeHandler(exchange, host: endpoint.debugDescription, promise: promise))
                }
            } catch {
                promise.fail(error)
                failure = error
                continue
            }
            do { return try await promise.futureResult.get() } catch {
                throw error as? TransportFailure ?? .disconnected(TransportFailure.describe(error))
            }
        }
        throw failure
    }
}

/// Sends one request as soon as the channel is active, and collects its answer.
private final class HTTPExchangeHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let exchange: HTTPExchange
    private let host: String
    private let promise: EventLoopPromise<HTTPExchange.Answer>
    private var status = 0
    private var body: [UInt8] = []
    private var timer: Scheduled<Void>?

    init(_ exchange: HTTPExchange, host: String, promise: EventLoopPromise<HTTPExchange.Answer>) {
        self.exchange = exchange
        self.host = host
        self.promise = promise
    }

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: TimeAmount(exchange.limit)) { [promise] in
            promise.fail(TransportFailure.timedOut("no complete answer"))
            channel.close(promise: nil)
        }
        var head = HTTPRequestHead(version: .http1_1, method: .init(rawValue: exchange.method), uri: exchange.path)
        for (name, value) in exchange.headers { head.headers.replaceOrAdd(name: name, value: value) }
        head.headers.replaceOrAdd(name: "Host", value: host)
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        if !exchange.body.isEmpty {
            head.headers.replaceOrAdd(name: "Content-Length", value: String(exchange.body.count))
        }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !exchange.body.isEmpty {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: exchange.body)))), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): status = Int(head.status.code)
        case .body(let part):
            guard body.count + part.readableBytes <= exchange.longestAnswer else {
                return finish(context, .failure(.tooLarge("its answer has more than \(exchange.longestAnswer) bytes")))
            }
            body += part.readableBytesView
        case .end: finish(context, .success(HTTPExchange.Answer(status: status, body: body)))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(context, .failure(.disconnected("the device closed it before its answer was complete")))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finish(context, .failure(.malformed(TransportFailure.describe(error))))
    }

    private func finish(_ context: ChannelHandlerContext, _ result: Result<HTTPExchange.Answer, TransportFailure>) {
        timer?.cancel()
        timer = nil
        switch result {
        case .success(let answer): promise.succeed(answer)
        case .failure(let failure): promise.fail(failure)
        }
        context.close(promise: nil)
    }
}
