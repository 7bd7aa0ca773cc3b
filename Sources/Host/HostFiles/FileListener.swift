import ConnectionLimits
import HTTPTypes
import HostInterface
import HostSockets
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// An HTTP server on one local address, for the files and streams served there.
final class FileListener: Sendable {
    private static let largestChunk = 1 << 16
    private static let idleTimeout = TimeAmount.seconds(30)
    private static let connections = 64
    private static let connectionsPerDevice = 16
    /// Of connections that are not accepted yet. Where it is full, the system drops what a device sends to connect, and the device
    /// tries again after a second; strangers are closed as soon as they are accepted.
    private static let backlog = 4096

    /// `TCP_NOTSENT_LOWAT` of Linux, in bytes.
    private static let unsentLimit = ChannelOptions.Types.SocketOption(
        level: .tcp, name: NIOBSDSocket.Option(rawValue: 25))
    private static let largestUnsent: ChannelOptions.Types.SocketOption.Value = 1 << 16

    let port: Int
    private let files: FileTable
    private let task: Task<Void, Never>
    private let group: MultiThreadedEventLoopGroup
    /// The socket that listens.
    private let socket: any Channel

    /// The served files, by token.
    final class FileTable: Sendable {
        private let files = Mutex<[String: SharedMedia]>([:])
        private let isClosed = Atomic(false)

        subscript(token: String) -> SharedMedia? {
            get { files.withLock { $0[token] } }
            set { files.withLock { $0[token] = newValue } }
        }

        /// Returns a Boolean value that indicates whether any file is served to the peer.
        func concern(_ peer: NumericAddress) -> Bool {
            !isClosed.load(ordering: .acquiring) && files.withLock { $0.values.contains { $0.isFor(peer) } }
        }

        /// Refuses new connections, which the server drops while it stops listening.
        func close() { isClosed.store(true, ordering: .releasing) }
    }

    private init(
        socket: any Channel, files: FileTable, task: Task<Void, Never>, group: MultiThreadedEventLoopGroup
    ) {
        self.socket = socket
        port = socket.localAddress?.port ?? 0
        self.files = files
        self.task = task
        self.group = group
    }

    func offer(_ file: SharedMedia, token: String) { files[token] = file }

    func withdraw(token: String) {
        let file = files[token]
        files[token] = nil
        file?.withdraw()
    }

    /// Listens on the first free port.
    ///
    /// - Throws: ``HostError`` `host-unavailable` if none is free.
    static func start(on address: NumericAddress, ports: FilePorts, logger: Logger) async throws(HostError)
        -> FileListener
    {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        var reason = ""
        for port in ports.candidates {
            do {
                return try await listen(on: address, port: port, group: group, logger: logger)
            } catch {
                reason = "\(error)"
            }
        }
        try? await group.shutdownGracefully()
        let place = ports.range.map { "no port of \($0.lowerBound)-\($0.upperBound) is free" } ?? reason
        throw HostError(.hostUnavailable, "Files cannot be served on \(address.text): \(place).")
    }

    /// Closes the socket and every connection, and returns when they are closed.
    func stop() async {
        files.close()
        task.cancel()
        await task.value
        try? await group.shutdownGracefully()
    }

    /// Closes the listening socket, and returns when another process can listen on its port. Open connections continue.
    ///
    /// This doesn't use the server's own graceful shutdown, because that closes connections with data still to be sent.
    func makeWay() async {
        files.close()
        try? await socket.close()
    }

    /// Returns when the last connection after ``makeWay()`` is closed. Idle connections are closed after
    /// ``idleTimeout``.
    func finished() async { await task.value }

    private static func listen(
        on address: NumericAddress, port: Int, group: MultiThreadedEventLoopGroup, logger: Logger
    ) async throws -> FileListener {
        let files = FileTable()
        let (outcomes, continuation) = AsyncStream<Result<any Channel, any Error>>.makeStream()
        // The server tells of every start, and of connections cut at the end of a session, at levels meant for a server's
        // own process.
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .critical)
        let limit = ConnectionLimit(total: connections, perPeer: connectionsPerDevice)
        let admits: @Sendable (any Channel) -> Bool = { channel in
            guard let peer = NumericAddress(channel.remoteAddress), files.concern(peer), limit.admit(peer.text) else {
                return false
            }
            channel.closeFuture.whenComplete { _ in limit.leave(peer.text) }
            return true
        }
        let server = Server(
            childChannelSetup: HTTP1Channel(
                responder: { request, writer, channel in
                    try await respond(to: request.head, writer, channel, files: files)
                },
                configuration: .init(
                    additionalChannelHandlers: [AdmissionHandler(admits: admits)], idleTimeout: idleTimeout)),
            configuration: ServerConfiguration(
                address: .hostname(address.text, port: port), serverName: nil, backlog: Self.backlog),
            onServerRunning: { channel in continuation.yield(.success(channel)) },
            eventLoopGroup: group, logger: quiet)
        let task = Task {
            do {
                try await server.run()
            } catch {
                continuation.yield(.failure(error))
            }
        }
        for await outcome in outcomes {
            return FileListener(socket: try outcome.get(), files: files, task: task, group: group)
        }
        throw CancellationError()
    }

    private static func respond(
        to request: HTTPRequest, _ writer: consuming ResponseWriter, _ channel: any Channel, files: FileTable
    ) async throws {
        // Not the folder, in which Kodi looks for subtitles: a stream has one reader, and that would be the newest.
        let path = (request.path ?? "").split(separator: "/")
        guard path.count == 2, let shared = files[String(path[0])], shared.begin(channel) else {
            try await writer.writeResponse(HTTPResponse(FileAnswer.notFound))
            return
        }
        defer { shared.end(channel) }
        switch shared.content {
        case .file(let file):
            guard let facts = file.facts else { throw FileTrouble.unreadable }
            let answer = FileAnswer(to: request, contentType: shared.contentType, facts: facts)
            guard let range = answer.body else { return try await writer.writeResponse(HTTPResponse(answer)) }
            var body = try await writer.writeHead(HTTPResponse(answer))
            try await send(range, of: file, to: &body, allocator: channel.allocator)
            try await body.finish(nil)
        case .bytes(let bytes, let facts):
            let answer = FileAnswer(to: request, contentType: shared.contentType, facts: facts)
            guard let range = answer.body else { return try await writer.writeResponse(HTTPResponse(answer)) }
            var body = try await writer.writeHead(HTTPResponse(answer))
            try await body.write(ByteBuffer(bytes: bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
            try await body.finish(nil)
        case .stream(let feed):
            let answer = StreamAnswer(to: request, contentType: shared.contentType)
            guard answer.hasBody else {
                try await writer.writeResponse(HTTPResponse(answer))
                // Without a length a chunked body is announced, whose end is sent although none has to follow.
                if answer.status == .ok { try? await channel.close() }
                return
            }
            // The system would otherwise queue megabytes for a slow device, which delay a stream by seconds.
            _ = try? await channel.setOption(Self.unsentLimit, value: Self.largestUnsent).get()
            var body = try await writer.writeHead(HTTPResponse(answer))
            var reader = await feed.reader()
            // Only as fast as the device takes it, and so its writer waits as well.
            while let bytes = try await feed.next(&reader) { try await body.write(ByteBuffer(bytes: bytes)) }
            try await body.finish(nil)
        }
    }

    /// Chunk by chunk; writing waits for a slow device.
    private static func send(
        _ range: Range<Int64>, of file: OpenedFile, to body: inout some ResponseBodyWriter,
        allocator: ByteBufferAllocator
    ) async throws {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let start = offset
            let count = Int(min(Int64(largestChunk), range.upperBound - start))
            // Reading may wait for a disk or a network share, which no thread of the concurrency pool should.
            let chunk = try await NIOThreadPool.singleton.runIfActive {
                var buffer = allocator.buffer(capacity: count)
                var failed = false
                buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { memory in
                    let room = UnsafeMutableRawBufferPointer(rebasing: memory.prefix(count))
                    guard let read = file.read(into: room, at: start) else {
                        failed = true
                        return 0
                    }
                    return read
                }
                return failed ? nil : buffer
            }
            // The length was promised: a file that has become shorter can only be told by breaking off.
            guard let chunk, chunk.readableBytes > 0 else { throw FileTrouble.unreadable }
            offset += Int64(chunk.readableBytes)
            try await body.write(chunk)
        }
    }

    private enum FileTrouble: Error { case unreadable }
}

extension HTTPResponse {
    fileprivate init(_ answer: FileAnswer) { self.init(status: answer.status, headerFields: answer.headers) }

    fileprivate init(_ answer: StreamAnswer) { self.init(status: answer.status, headerFields: answer.headers) }
}
