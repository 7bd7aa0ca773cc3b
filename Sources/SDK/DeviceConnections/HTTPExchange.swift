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
    /// Additional header fields. ``send(toAnyOf:)`` sets `Content-Length` and `Connection`, and `Host` if it is missing.
    public var headers: [String: String] = [:]
    /// The body of the request.
    public var body: [UInt8] = []
    /// The time for connecting to an address and for the whole answer.
    public var limit = Duration.seconds(10)
    /// The longest time without any data from the device; `nil` for none but ``limit``.
    public var silence: Duration?
    /// The longest body of an answer, in bytes.
    public var longestAnswer = 1 << 20

    /// Creates a `GET` request.
    public init(path: String) { self.path = path }

    /// An answer with any status.
    public struct Answer: Sendable, Hashable {
        /// The HTTP status code.
        public let status: Int
        /// The header fields with lower-case names; of repeated ones the first.
        public let headers: [String: String]
        /// The body, at most ``HTTPExchange/longestAnswer`` bytes.
        public let body: [UInt8]

        /// Creates an answer. Only tests need it.
        ///
        /// - Parameters:
        ///   - status: The HTTP status code.
        ///   - headers: The header fields with lower-case names.
        ///   - body: The body.
        public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
            self.status = status
            self.headers = headers
            self.body = body
        }
    }

    /// Sends the request to the first address that accepts a connection.
    ///
    /// - Parameter endpoints: Addresses with ports, in order of preference.
    /// - Returns: The answer, whatever its status.
    /// - Throws: ``TransportFailure``. A request that was sent isn't repeated at the next address. If the task is
    ///   cancelled, the connection is closed, and the failure is `disconnected`.
    public func send(toAnyOf endpoints: [NWEndpoint]) async throws(TransportFailure) -> Answer {
        var failure = TransportFailure.unreachable("it has no address")
        for endpoint in endpoints where !Task.isCancelled {
            let eventLoop = Transport.group.next()
            let promise = eventLoop.makePromise(of: Answer.self)
            let exchange = self
            let deadline = NIODeadline.now() + TimeAmount(limit)
            let channel: any Channel
            do throws(TransportFailure) {
                channel = try await Transport.connect(to: endpoint, on: eventLoop, within: min(limit, .seconds(5))) {
                    channel in
                    let handlers = channel.pipeline.syncOperations
                    if let silence { try handlers.addHandler(IdleStateHandler(readTimeout: TimeAmount(silence))) }
                    try handlers.addHTTPClientHandlers()
                    try handlers.addHandler(
                        HTTPExchangeHandler(
                            exchange, host: endpoint.debugDescription, deadline: deadline, promise: promise))
                }
            } catch {
                promise.fail(error)
                failure = error
                continue
            }
            do {
                return try await withTaskCancellationHandler {
                    try await promise.futureResult.get()
                } onCancel: {
                    channel.close(promise: nil)
                }
            } catch {
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
    private let deadline: NIODeadline
    private let promise: EventLoopPromise<HTTPExchange.Answer>
    private var status = 0
    private var headers: [String: String] = [:]
    private var body: [UInt8] = []
    private var timer: Scheduled<Void>?

    init(
        _ exchange: HTTPExchange, host: String, deadline: NIODeadline, promise: EventLoopPromise<HTTPExchange.Answer>
    ) {
        self.exchange = exchange
        self.host = host
        self.deadline = deadline
        self.promise = promise
    }

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(deadline: deadline) { [promise] in
            promise.fail(TransportFailure.timedOut("no complete answer"))
            channel.close(promise: nil)
        }
        var head = HTTPRequestHead(version: .http1_1, method: .init(rawValue: exchange.method), uri: exchange.path)
        for (name, value) in exchange.headers { head.headers.replaceOrAdd(name: name, value: value) }
        if !head.headers.contains(name: "Host") { head.headers.add(name: "Host", value: host) }
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
        case .head(let head):
            status = Int(head.status.code)
            headers = Dictionary(head.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
        case .body(let part):
            guard body.count + part.readableBytes <= exchange.longestAnswer else {
                return finish(context, .failure(.tooLarge("its answer has more than \(exchange.longestAnswer) bytes")))
            }
            body += part.readableBytesView
        case .end: finish(context, .success(HTTPExchange.Answer(status: status, headers: headers, body: body)))
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is IdleStateHandler.IdleStateEvent else { return context.fireUserInboundEventTriggered(event) }
        finish(context, .failure(.timedOut("it is silent")))
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
