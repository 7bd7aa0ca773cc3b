import Glibc
import NIOCore
import NIOPosix
import ReferenceProtocol

/// An error of a connection to a receiver.
enum ConnectionFailure: Error, Sendable, Hashable {
    /// The receiver couldn't be reached. The text completes a sentence, such as `no answer in time`.
    case unreachable(String)
    case timedOut
    /// The peer speaks another protocol.
    case notUnderstood(String)
    /// The receiver refused, with its own reason.
    case refused(ReferenceFailure)
}

/// An event from a receiver, in the receiver's order.
enum LinkEvent: Sendable, Hashable {
    /// An event that the receiver sent without a request.
    case told(ReferenceEvent)
    /// An answer to a noted command. Later events reflect the command.
    case answered
    /// An answer with the receiver's clock.
    case compared
}

/// The connection to a receiver, as the rest of the extension uses it. Tests replace it with a script.
protocol ReceiverLink: AnyObject, Sendable {
    /// The receiver's events, for one consumer. The stream finishes with the connection.
    var events: AsyncStream<LinkEvent> { get }
    /// Sends a command and waits for its answer. Commands arrive in the order of the calls.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - isNoted: `true` to report the answer in ``events``.
    /// - Throws: ``ConnectionFailure``
    func perform(_ command: ReferenceCommand, isNoted: Bool) async throws(ConnectionFailure) -> ReferenceResult
    /// Reads the receiver's clock, and records the times of the request and the answer.
    func readClock() async throws(ConnectionFailure) -> ClockEstimate.Exchange
    func close() async
}

extension ReceiverLink {
    func perform(_ command: ReferenceCommand) async throws(ConnectionFailure) -> ReferenceResult {
        try await perform(command, isNoted: false)
    }
}

/// A TCP connection to a receiver. It numbers requests and matches their answers.
///
/// Everything runs on the event loop of the socket, which is the actor's executor.
actor ReferenceConnection: ReceiverLink {
    /// The thread that carries all connections of this process.
    static let transport = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private static let patience = TimeAmount.seconds(4)
    /// Socket options with which the kernel detects a lost receiver within about six seconds, without timers of our
    /// own.
    private static let livenessOptions: [(ChannelOptions.Types.SocketOption, Int)] = [
        (.init(level: .socket, name: .so_keepalive), 1),
        (.init(level: .tcp, name: .init(rawValue: TCP_KEEPIDLE)), 3),
        (.init(level: .tcp, name: .init(rawValue: TCP_KEEPINTVL)), 1),
        (.init(level: .tcp, name: .init(rawValue: TCP_KEEPCNT)), 3),
    ]

    nonisolated let eventLoop: any EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }
    nonisolated let events: AsyncStream<LinkEvent>

    private typealias Answer = Result<(ReferenceResult, sent: Double, received: Double), ConnectionFailure>

    private struct Waiter {
        let continuation: CheckedContinuation<Answer, Never>
        let deadline: Scheduled<Void>
        /// The event to report for the answer in ``events``, in the receiver's order; `nil` for none.
        let note: LinkEvent?
        let sent: Double
    }

    private let eventFeed: AsyncStream<LinkEvent>.Continuation
    private var channel: (any Channel)?
    private var lines = ReferenceLines()
    private var lastRequest = 0
    private var waiters: [Int: Waiter] = [:]
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

    func perform(_ command: ReferenceCommand, isNoted: Bool) async throws(ConnectionFailure) -> ReferenceResult {
        try await request(command, note: isNoted ? .answered : nil).0
    }

    /// Reads the clock on the event loop: a turn of the main actor would count as network delay.
    func readClock() async throws(ConnectionFailure) -> ClockEstimate.Exchange {
        let (result, sent, received) = try await request(.clock, note: .compared)
        guard case .time(let seconds) = result else { throw .notUnderstood("no time") }
        return ClockEstimate.Exchange(sent: sent, received: received, remote: seconds)
    }

    private func request(
        _ command: ReferenceCommand, note: LinkEvent?
    ) async throws(ConnectionFailure) -> (ReferenceResult, sent: Double, received: Double) {
        if let end { throw end }
        lastRequest += 1
        let request = lastRequest
        let answer: Answer = await withCheckedContinuation { continuation in
            let deadline = eventLoop.scheduleTask(in: Self.patience) { [weak self] () -> Void in
                self?.assumeIsolated { $0.finish(.timedOut) }
            }
            let bytes = ReferenceLines.encode(ReferenceRequest(id: request, command: command))
            waiters[request] = Waiter(
                continuation: continuation, deadline: deadline, note: note, sent: HostTime.now)
            channel?.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
        }
        return try answer.get()
    }

    func close() { finish(.unreachable("it was closed")) }

    // MARK: Called by the handler, on the event loop

    func received(_ buffer: ByteBuffer) {
        guard end == nil else { return }
        let time = HostTime.now
        do throws(ReferenceLines.Failure) {
            for line in try lines.take(buffer.readableBytesView) {
                take(try ReferenceLines.decode(ReferenceMessage.self, from: line), at: time)
            }
        } catch {
            finish(.notUnderstood("\(error)"))
        }
    }

    func ended(_ reason: String) { finish(.unreachable(reason)) }

    private func take(_ message: ReferenceMessage, at time: Double) {
        switch message {
        case .event(let event): eventFeed.yield(.told(event))
        case .reply(let request, let outcome):
            guard let waiter = waiters.removeValue(forKey: request) else { return }
            waiter.deadline.cancel()
            if let note = waiter.note { eventFeed.yield(note) }
            waiter.continuation.resume(
                returning: outcome.map { ($0, sent: waiter.sent, received: time) }.mapError(ConnectionFailure.refused))
        }
    }

    /// Closes the connection and fails everything that waits with the same reason.
    private func finish(_ failure: ConnectionFailure) {
        guard end == nil else { return }
        end = failure
        channel?.close(promise: nil)
        channel = nil
        let waiting = waiters
        waiters = [:]
        for waiter in waiting.values {
            waiter.deadline.cancel()
            waiter.continuation.resume(returning: .failure(failure))
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

/// Passes a channel's events to its ``ReferenceConnection``, whose executor is the channel's event loop.
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
