public import DeviceDiscovery
import NIOCore
import NIOPosix

/// A TCP or TLS connection to a device that performs the actions of a ``ConnectionMachine`` on the event loop of its socket.
///
/// The event loop is the actor's executor, so bytes, timers and requests are totally ordered without a lock.
public actor DeviceConnection<Machine: ConnectionMachine> {
    /// The bounds of a connection.
    public struct Limits: Sendable, Hashable {
        /// The time for an address to accept the connection.
        public var connecting = Duration.seconds(5)
        /// The time from the connection to ``ConnectionAction/ready``.
        public var greeting = Duration.seconds(5)
        /// The highest number of requests without an answer. One more fails with ``TransportFailure/tooLarge(_:)``.
        public var requestsInFlight = 64
        /// The highest number of notifications that wait for the consumer. One more ends the connection, because a lost
        /// notification would leave a wrong state.
        public var notifications = 1024
        /// The highest number of bytes that the device hasn't taken yet. More end the connection: a device can ask for answers
        /// without ever reading them.
        var unsent = 4 << 20

        /// Creates the default limits.
        public init() {}
    }

    nonisolated let eventLoop: any EventLoop
    /// The executor: the event loop of the socket.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    /// The notifications of the device, for one consumer. The stream finishes with the connection.
    public nonisolated let notifications: AsyncStream<Machine.Notification>

    /// The address of the device that accepted the connection.
    public private(set) var endpoint: NWEndpoint?

    private let sink: AsyncStream<Machine.Notification>.Continuation
    private let limits: Limits
    private var machine: Machine
    private var channel: (any Channel)?
    private var timer: Scheduled<Void>?
    private var readiness: Result<Void, TransportFailure>?
    private var readinessWaiter: CheckedContinuation<Result<Void, TransportFailure>, Never>?
    private var waiters: [RequestID: CheckedContinuation<Result<Machine.Response, TransportFailure>, Never>] = [:]
    private var lastRequest: RequestID = 0
    private var ending: TransportFailure?
    /// The bytes that wait for the device.
    private var unsent = 0

    /// Connects to the first of a device's addresses on which the protocol becomes ready.
    ///
    /// - Parameters:
    ///   - endpoints: Addresses with ports, in order of preference.
    ///   - security: The encryption of the connection. The handshake is part of the time for the greeting.
    ///   - limits: The bounds of the connection.
    ///   - machine: A function that creates the protocol's state for each attempt.
    /// - Throws: The failure of the last address; ``TransportFailure/unreachable(_:)`` if there are no addresses.
    public static func open(
        anyOf endpoints: [NWEndpoint], security: ConnectionSecurity = .plain, limits: Limits = Limits(),
        machine: @Sendable () -> Machine
    ) async throws(TransportFailure) -> DeviceConnection {
        var failure = TransportFailure.unreachable("it has no address")
        for endpoint in endpoints {
            let connection = DeviceConnection(machine(), limits: limits)
            do throws(TransportFailure) {
                try await connection.open(endpoint, security)
                return connection
            } catch {
                failure = error
                await connection.close()
            }
        }
        throw failure
    }

    private init(_ machine: Machine, limits: Limits) {
        eventLoop = Transport.group.next()
        self.machine = machine
        self.limits = limits
        (notifications, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(limits.notifications))
    }

    /// Sends a request and waits for its response.
    ///
    /// - Throws: ``TransportFailure/disconnected(_:)`` before the connection is ready,
    ///   ``TransportFailure/tooLarge(_:)`` if too many requests are in flight (the connection stays open, try again
    ///   later), or the failure that ended the connection (open a new one).
    public func request(_ request: Machine.Request) async throws(TransportFailure) -> Machine.Response {
        if let ending { throw ending }
        guard case .success? = readiness else { throw .disconnected("it isn't ready") }
        guard waiters.count < limits.requestsInFlight else { throw .tooLarge("too many requests at once") }
        lastRequest += 1
        let id = lastRequest
        let result = await withCheckedContinuation { continuation in
            waiters[id] = continuation
            run(machine.submit(id, request))
        }
        return try result.get()
    }

    /// Closes the connection. Requests in flight fail with ``TransportFailure/disconnected(_:)``.
    public func close() { finish(.disconnected("it was closed")) }

    private func open(_ endpoint: NWEndpoint, _ security: ConnectionSecurity) async throws(TransportFailure) {
        self.endpoint = endpoint
        do throws(TransportFailure) {
            _ = try await Transport.connect(to: endpoint, on: eventLoop, within: limits.connecting) { [self] channel in
                let pipeline = channel.pipeline.syncOperations
                if let tls = try security.makeHandler() { try pipeline.addHandler(tls) }
                try pipeline.addHandler(ConnectionHandler(self))
            }
        } catch {
            finish(error)
            throw error
        }
        let result = await withCheckedContinuation { continuation in
            if let readiness { continuation.resume(returning: readiness) } else { readinessWaiter = continuation }
        }
        try result.get()
    }

    // MARK: Called by the handler, on the event loop

    fileprivate func channelActive(_ channel: any Channel) {
        guard ending == nil else { return channel.close(promise: nil) }
        self.channel = channel
        startTimer(limits.greeting)
        run(machine.connected())
    }

    fileprivate func channelRead(_ bytes: [UInt8]) { if ending == nil { run(machine.received(bytes)) } }

    fileprivate func channelEnded(_ failure: TransportFailure) { finish(failure) }

    // MARK: Performing

    private func run(_ actions: [ConnectionAction<Machine.Response, Machine.Notification>]) {
        for action in actions where ending == nil {
            switch action {
            case .send(let bytes):
                send(bytes)
            case .ready: becomeReady(.success(()))
            case .complete(let id, let response): waiters.removeValue(forKey: id)?.resume(returning: .success(response))
            case .notify(let notification):
                if case .dropped = sink.yield(notification) { finish(.tooLarge("too many notifications")) }
            case .expect(let limit): startTimer(limit)
            case .close(let failure): finish(failure)
            }
        }
    }

    private func send(_ bytes: [UInt8]) {
        guard let channel else { return }
        unsent += bytes.count
        guard unsent <= limits.unsent else { return finish(.tooLarge("it reads nothing")) }
        let count = bytes.count
        channel.writeAndFlush(channel.allocator.buffer(bytes: bytes)).whenComplete { [weak self] _ in
            self?.assumeIsolated { $0.unsent -= count }
        }
    }

    private func becomeReady(_ result: Result<Void, TransportFailure>) {
        guard readiness == nil else { return }
        startTimer(nil)
        readiness = result
        readinessWaiter?.resume(returning: result)
        readinessWaiter = nil
    }

    private func startTimer(_ limit: Duration?) {
        timer?.cancel()
        timer = limit.map { limit in
            eventLoop.scheduleTask(in: TimeAmount(limit)) { [weak self] in
                self?.assumeIsolated { $0.timerFired() }
            }
        }
    }

    private func timerFired() {
        guard ending == nil else { return }
        if readiness == nil { finish(.timedOut("waiting for its greeting")) } else { run(machine.timedOut()) }
    }

    private func finish(_ failure: TransportFailure) {
        guard ending == nil else { return }
        ending = failure
        timer?.cancel()
        becomeReady(.failure(failure))
        let unanswered = waiters
        waiters = [:]
        for waiter in unanswered.values { waiter.resume(returning: .failure(failure)) }
        channel?.close(promise: nil)
        channel = nil
        sink.finish()
    }
}

/// Passes a channel's events to its connection, whose executor is the channel's event loop.
private final class ConnectionHandler<Machine: ConnectionMachine>: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let connection: DeviceConnection<Machine>

    init(_ connection: DeviceConnection<Machine>) { self.connection = connection }

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        connection.assumeIsolated { $0.channelActive(channel) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = Array(unwrapInboundIn(data).readableBytesView)
        connection.assumeIsolated { $0.channelRead(bytes) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection.assumeIsolated { $0.channelEnded(.disconnected("the device closed it")) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let reason = TransportFailure.describe(error)
        connection.assumeIsolated { $0.channelEnded(.disconnected(reason)) }
    }
}
