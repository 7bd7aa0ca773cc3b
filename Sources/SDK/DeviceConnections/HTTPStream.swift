import DeviceDiscovery
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// The body of an HTTP answer of any length, read at the consumer's pace.
public actor HTTPStream {
    private nonisolated let eventLoop: any EventLoop
    /// The executor: the event loop of the socket.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    private var channel: (any Channel)?
    private var status: Int?
    private var bytes: [UInt8] = []
    private var ending: Result<Void, TransportFailure>?
    private var waiter: CheckedContinuation<Void, Never>?

    /// Requests a URL.
    ///
    /// - Parameter url: An `http` URL, with a numeric address in most cases.
    /// - Throws: ``TransportFailure``; ``TransportFailure/malformed(_:)`` for a status other than 200.
    public static func open(_ url: URL) async throws(TransportFailure) -> HTTPStream {
        guard url.scheme == "http", let host = url.host(),
            let port = NWEndpoint.Port(rawValue: UInt16(clamping: url.port ?? 80))
        else { throw .unreachable("\(url) isn't an address of HTTP") }
        let endpoint = NWEndpoint.hostPort(
            host: NWEndpoint.Host(host.trimmingCharacters(in: ["[", "]"])), port: port)
        let stream = HTTPStream()
        try await stream.open(endpoint, url.path(percentEncoded: true) + (url.query().map { "?" + $0 } ?? ""))
        return stream
    }

    private init() { eventLoop = Transport.group.next() }

    private func open(_ endpoint: NWEndpoint, _ path: String) async throws(TransportFailure) {
        let host = endpoint.debugDescription
        channel = try await Transport.connect(to: endpoint, on: eventLoop, within: .seconds(5)) { [self] channel in
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHTTPClientHandlers()
            try pipeline.addHandler(HTTPStreamHandler(self, path: path, host: host))
        }
        if status == nil, ending == nil { await withCheckedContinuation { waiter = $0 } }
        if case .failure(let failure)? = ending { throw failure }
        guard status == 200 else {
            close()
            throw .malformed("status \(status ?? 0)")
        }
    }

    /// Returns the next bytes as soon as there are any; `nil` at the end, and after ``close()``.
    ///
    /// - Throws: ``TransportFailure/disconnected(_:)`` if the connection ended before the body.
    public func next() async throws(TransportFailure) -> [UInt8]? {
        if bytes.isEmpty, ending == nil {
            waiter?.resume()
            // The sender waits for the consumer, because nothing is read in advance.
            channel?.read()
            await withCheckedContinuation { waiter = $0 }
        }
        defer { bytes = [] }
        guard bytes.isEmpty, let ending else { return bytes }
        try ending.get()
        return nil
    }

    /// Ends the connection, and the wait for bytes.
    public func close() {
        finish(.success(()))
        channel?.close(promise: nil)
    }

    // MARK: Called by the handler, on the event loop

    fileprivate func started(_ code: Int) {
        status = code
        wake()
    }

    fileprivate var hasBytes: Bool { !bytes.isEmpty }

    fileprivate func received(_ part: ByteBuffer) { bytes += part.readableBytesView }

    fileprivate func wake() {
        waiter?.resume()
        waiter = nil
    }

    fileprivate func finish(_ ending: Result<Void, TransportFailure>) {
        self.ending = self.ending ?? ending
        wake()
    }
}

private final class HTTPStreamHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let stream: HTTPStream
    private let path: String
    private let host: String

    init(_ stream: HTTPStream, path: String, host: String) {
        self.stream = stream
        self.path = path
        self.host = host
    }

    func channelActive(context: ChannelHandlerContext) {
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path)
        head.headers.add(name: "Host", value: host)
        head.headers.add(name: "Connection", value: "close")
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            context.channel.setOption(.autoRead, value: false).assumeIsolated().whenFailure { _ in }
            stream.assumeIsolated { $0.started(Int(head.status.code)) }
        case .body(let part): stream.assumeIsolated { $0.received(part) }
        case .end:
            stream.assumeIsolated { $0.finish(.success(())) }
            context.close(promise: nil)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // A read may have brought nothing but the length of a part.
        if stream.assumeIsolated({ $0.hasBytes }) { stream.assumeIsolated { $0.wake() } } else { context.read() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        stream.assumeIsolated { $0.finish(.failure(.disconnected("the answer isn't complete"))) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let reason = TransportFailure.describe(error)
        stream.assumeIsolated { $0.finish(.failure(.disconnected(reason))) }
        context.close(promise: nil)
    }
}
