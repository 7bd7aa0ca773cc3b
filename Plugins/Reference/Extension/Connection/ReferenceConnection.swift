import Glibc
import NIOCore
import NIOPosix
import ReferenceProtocol

/// Why a receiver cannot be talked to.
enum ConnectionFailure: Error, Sendable, Hashable {
    /// The end of a sentence: `no answer in time`.
    case unreachable(String)
    case timedOut
    /// What answers there speaks another protocol.
    case notUnderstood(String)
    /// The receiver's own word.
    case refused(ReferenceFailure)
}

/// The connection to a receiver, as the rest of the extension uses it; tests put a script in its place.
protocol ReceiverLink: AnyObject, Sendable {
    /// What the receiver tells without being asked, in order; ends with the connection. One consumer.
    var events: AsyncStream<ReferenceEvent> { get }
    /// Sends a command and waits for its answer. Commands sent one after the other arrive in that order.
    func perform(_ command: ReferenceCommand) async throws(ConnectionFailure) -> ReferenceResult
    func close() async
}

/// One TCP connection to a receiver: numbers requests and finds their answers.
///
/// Everything happens on the event loop that carries the socket, which is the actor's executor.
actor ReferenceConnection: ReceiverLink {
    /// The one thread that carries every connection of this process.
    static let transport = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private static let patience = TimeAmount.seconds(4)
    /// The kernel notices a receiver that vanished in about six seconds, without a timer of ours.
    private static let livenessOptions: [(ChannelOptions.Types.SocketOption, Int)] = [
        (.init(level: .socket, name: .so_keepalive), 1),
        (.init(level: .tcp, name: .init(rawValue: TCP_KEEPIDLE)), 3),
        (.init(level: .tcp, name: .init(rawValue: TCP_KEEPINTVL)), 1),
        (.init(level: .tcp, name: .init(rawValue: TCP_KEEPCNT)), 3),
    ]

    nonisolated let eventLoop: any EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }
    nonisolated let events: AsyncStream<ReferenceEvent>

    private typealias Waiter = CheckedContinuation<Result<ReferenceResult, ConnectionFailure>, Never>

    private let eventFeed: AsyncStream<ReferenceEvent>.Continuation
    private var channel: (any Channel)?
    private var lines = ReferenceLines()
    private var lastRequest = 0
    private var waiters: [Int: (waiter: Waiter, deadline: Scheduled<Void>)] = [:]
    private var end: ConnectionFailure?

    private init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        (events, eventFeed) = AsyncStream.makeStream()
    }

    /// Connects to the first address that answers.
    static func open(_ addresses: [(host: String, port: Int)]) async throws(ConnectionFailure) -> ReferenceConnection {
        var failure = ConnectionFailure.unreachable("it has no address")
        for address in addresses {
            let connection = ReferenceConnection(eventLoop: transport.next())
            do {
                try await connection.connect(address.host, address.port)
                return connection
            } catch ChannelError.connectTimeout {
                failure = .timedOut
            } catch {
                failure = .unreachable(describe(error))
            }
        }
        throw failure
    }

    private func connect(_ host: String, _ port: Int) async throws {
        var bootstrap = ClientBootstrap(group: eventLoop).connectTimeout(Self.patience)
            .channelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ReferenceConnectionHandler(connection: self))
                }
            }
        for (option, value) in Self.livenessOptions { bootstrap = bootstrap.channelOption(option, value: value) }
        if let address = try? SocketAddress(ipAddress: host, port: port) {
            channel = try await bootstrap.connect(to: address).get()
        } else {
            channel = try await bootstrap.connect(host: host, port: port).get()
        }
    }

    func perform(_ command: ReferenceCommand) async throws(ConnectionFailure) -> ReferenceResult {
        if let end { throw end }
        lastRequest += 1
        let request = lastRequest
        let result: Result<ReferenceResult, ConnectionFailure> = await withCheckedContinuation { waiter in
            let deadline = eventLoop.scheduleTask(in: Self.patience) { [weak self] () -> Void in
                self?.assumeIsolated { $0.finish(.timedOut) }
            }
            waiters[request] = (waiter, deadline)
            let bytes = ReferenceLines.encode(ReferenceRequest(id: request, command: command))
            channel?.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
        }
        return try result.get()
    }

    func close() { finish(.unreachable("it was closed")) }

    // MARK: Called by the handler, on the event loop

    func received(_ buffer: ByteBuffer) {
        guard end == nil else { return }
        do throws(ReferenceLines.Failure) {
            for line in try lines.take(buffer.readableBytesView) {
                take(try ReferenceLines.decode(ReferenceMessage.self, from: line))
            }
        } catch {
            finish(.notUnderstood("\(error)"))
        }
    }

    func ended(_ reason: String) { finish(.unreachable(reason)) }

    private func take(_ message: ReferenceMessage) {
        switch message {
        case .event(let event): eventFeed.yield(event)
        case .reply(let request, let outcome):
            guard let (waiter, deadline) = waiters.removeValue(forKey: request) else { return }
            deadline.cancel()
            waiter.resume(returning: outcome.mapError(ConnectionFailure.refused))
        }
    }

    /// Whatever waits fails with the same reason.
    private func finish(_ failure: ConnectionFailure) {
        guard end == nil else { return }
        end = failure
        channel?.close(promise: nil)
        channel = nil
        let waiting = waiters
        waiters = [:]
        for (waiter, deadline) in waiting.values {
            deadline.cancel()
            waiter.resume(returning: .failure(failure))
        }
        eventFeed.finish()
    }

    static func describe(_ error: any Error) -> String {
        switch error {
        case let error as IOError: String(cString: strerror(error.errnoCode))
        case let error as NIOConnectionError:
            error.connectionErrors.last.map { describe($0.error) } ?? "\(error.host) has no address"
        default: String(describing: error)
        }
    }
}

/// Hands a channel's events to its ``ReferenceConnection``, whose executor is the channel's event loop.
private final class ReferenceConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let connection: ReferenceConnection

    init(connection: ReferenceConnection) { self.connection = connection }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        connection.assumeIsolated { $0.received(buffer) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection.assumeIsolated { $0.ended("it closed the connection") }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let reason = ReferenceConnection.describe(error)
        connection.assumeIsolated { $0.ended(reason) }
    }
}
