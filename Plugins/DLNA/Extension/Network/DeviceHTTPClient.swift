import DLNAProtocol
import Descriptors
import DeviceConnections
import Foundation
import PlaybackKit

/// An HTTP client for devices, with a short connection for each request and limits for time and size.
///
/// Connections aren't reused: half of the renderers close them, and the result of a request on a closing connection is
/// unknown. Without a pool, redirects or TLS (UPnP has none), a client library would only add its weight, which is
/// mostly TLS, to every build and every extension process.
struct DeviceHTTPClient: DeviceTransport {
    struct Limits: Sendable {
        /// The time limit for connecting, and between two pieces of the answer.
        var silence: Duration = .seconds(5)
        /// The time limit for the whole request.
        var total: Duration = .seconds(15)
        /// Bytes of the answer.
        var size = 1 << 20
    }

    private let group: any EventLoopGroup
    private let limits: Limits

    /// - Parameter group: Runs the connections.
    init(group: any EventLoopGroup, limits: Limits = Limits()) {
        self.group = group
        self.limits = limits
    }

    func send(_ request: DeviceRequest) async throws(DeviceFailure) -> DeviceAnswer {
        do {
            return try await withDeadline(limits.total) { try await exchange(request) }
        } catch {
            throw DeviceFailure(error)
        }
    }

    private func exchange(_ request: DeviceRequest) async throws -> DeviceAnswer {
        guard let host = request.url.host(percentEncoded: false), !host.isEmpty else {
            throw DeviceFailure.unreachable("no host in \(request.url)")
        }
        let port = try LocalAddress.port(of: request.url)
        try DescriptorReserve.check()
        let answer = group.next().makePromise(of: DeviceAnswer.self)
        let channel: any Channel
        do {
            channel = try await bootstrap(answer).connect(host: host, port: port).get()
        } catch {
            answer.fail(error)
            throw error
        }
        return try await withTaskCancellationHandler {
            do {
                try await write(request, host: host, to: channel)
                let result = try await answer.futureResult.get()
                channel.close(promise: nil)
                return result
            } catch {
                channel.close(promise: nil)
                // The write failed because the device closed the connection; its answer, or the lack of one, says more.
                answer.fail(error)
                return try await answer.futureResult.get()
            }
        } onCancel: {
            answer.fail(CancellationError())
            channel.close(promise: nil)
        }
    }

    private func bootstrap(_ answer: EventLoopPromise<DeviceAnswer>) -> ClientBootstrap {
        ClientBootstrap(group: group).connectTimeout(TimeAmount(limits.silence)).channelInitializer {
            [limits] channel in
            channel.eventLoop.makeCompletedFuture {
                let handlers = channel.pipeline.syncOperations
                try handlers.addHandler(IdleStateHandler(readTimeout: TimeAmount(limits.silence)))
                try handlers.addHTTPClientHandlers()
                try handlers.addHandler(NIOHTTPClientResponseAggregator(maxContentLength: limits.size))
                try handlers.addHandler(AnswerHandler(answer))
            }
        }
    }

    private func write(_ request: DeviceRequest, host: String, to channel: any Channel) async throws {
        let path = request.url.path(percentEncoded: true)
        let query = request.url.query(percentEncoded: true).map { "?" + $0 } ?? ""
        var headers = HTTPHeaders(request.headers.map { ($0.key, $0.value) })
        let port = request.url.port.map { ":\($0)" } ?? ""
        // A zone means something on this machine only.
        let bare = LocalAddress.withoutZone(host)
        headers.replaceOrAdd(name: "Host", value: (bare.contains(":") ? "[\(bare)]" : bare) + port)
        headers.replaceOrAdd(name: "Connection", value: "close")
        headers.replaceOrAdd(name: "User-Agent", value: "Linux UPnP/1.1 mdhost/1")
        if let body = request.body {
            headers.replaceOrAdd(name: "Content-Length", value: String(body.count))
        }
        let head = HTTPRequestHead(
            version: .http1_1, method: HTTPMethod(rawValue: request.method), uri: (path.isEmpty ? "/" : path) + query,
            headers: headers)
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        if let body = request.body {
            channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: body))), promise: nil)
        }
        try await channel.writeAndFlush(HTTPClientRequestPart.end(nil))
    }
}

/// Turns the events of a connection into one answer or error, whichever comes first.
private final class AnswerHandler: ChannelInboundHandler {
    typealias InboundIn = NIOHTTPClientResponseFull

    private let answer: EventLoopPromise<DeviceAnswer>

    init(_ answer: EventLoopPromise<DeviceAnswer>) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let response = unwrapInboundIn(data)
        var headers: [String: String] = [:]
        for (name, value) in response.head.headers where headers[name.lowercased()] == nil {
            headers[name.lowercased()] = value
        }
        let body = response.body.map { Array($0.readableBytesView) } ?? []
        answer.succeed(DeviceAnswer(status: Int(response.head.status.code), headers: headers, body: body))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent { answer.fail(DeadlineExceeded()) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        answer.fail(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        answer.fail(DeviceFailure.unreachable("it hung up without an answer"))
        context.fireChannelInactive()
    }
}

extension DeviceFailure {
    fileprivate init(_ error: any Error) {
        switch error {
        case let failure as DeviceFailure: self = failure
        case is DeadlineExceeded: self = .timedOut
        case is DescriptorReserve.Exhausted: self = .exhausted
        case is CancellationError: self = .cancelled
        case ChannelError.connectTimeout: self = .timedOut
        case let error as NIOHTTPObjectAggregatorError where error == .frameTooLong: self = .tooLarge
        case let error as IOError: self = .unreachable(String(cString: strerror(error.errnoCode)))
        case let error as NIOConnectionError: self = error.asDeviceFailure
        case HTTPParserError.invalidEOFState: self = .unreadable(.truncated)
        case is HTTPParserError: self = .unreadable(.malformed("no HTTP", offset: 0))
        default: self = .unreachable("\(error)")
        }
    }
}

extension NIOConnectionError {
    fileprivate var asDeviceFailure: DeviceFailure {
        for failure in connectionErrors {
            if let error = failure.error as? IOError {
                return .unreachable(String(cString: strerror(error.errnoCode)))
            }
            if case ChannelError.connectTimeout? = failure.error as? ChannelError { return .timedOut }
        }
        return .unreachable("no address of \(host) answers")
    }
}
