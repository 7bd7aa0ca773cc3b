import AirPlayPairing
import AirPlayProtocol
import NIOCore
import NIOPosix

/// A connection to a receiver that performs the actions of an ``RTSPConnectionMachine`` on the event loop of its
/// socket.
///
/// The event loop is the actor's executor, so bytes, timers and requests are totally ordered without a lock.
actor RTSPConnection {
    nonisolated let eventLoop: any EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    /// A stream with one element, the reason for the end of the connection. It finishes with the connection.
    nonisolated let end: AsyncStream<AirPlayError>
    /// The receiver's events after the connection is reversed. The stream finishes with the connection.
    nonisolated let events: AsyncStream<VideoEvent>

    private let endContinuation: AsyncStream<AirPlayError>.Continuation
    private let eventContinuation: AsyncStream<VideoEvent>.Continuation
    private let timeouts: AirPlayTimeouts
    private var machine: RTSPConnectionMachine
    /// The machine for incoming requests after the connection is reversed; `nil` before.
    private var reverse: ReverseConnectionMachine?
    private var channel: (any Channel)?
    /// The encryption of the connection; `nil` for none.
    private var cipher: EncryptedChannel?
    private var timer: Scheduled<Void>?
    private var waiters:
        [RTSPConnectionMachine.RequestID: CheckedContinuation<Result<RTSPResponse, AirPlayError>, Never>] =
            [:]
    private var lastRequest: RTSPConnectionMachine.RequestID = 0

    init(eventLoop: any EventLoop, password: String?, timeouts: AirPlayTimeouts) {
        self.eventLoop = eventLoop
        self.timeouts = timeouts
        let instance = Self.hexadecimal(UInt64.random(in: .min ... .max))
        machine = RTSPConnectionMachine(
            password: password, headers: ["User-Agent": "mdhost/0.1", "Client-Instance": instance],
            clientNonce: Self.hexadecimal(UInt64.random(in: .min ... .max)))
        (end, endContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
        (events, eventContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
    }

    /// Tries a receiver's addresses in order, each with its own time limit, and keeps the first that accepts.
    ///
    /// - Throws: ``AirPlayError/unreachable(_:)`` with the last address's failure.
    static func open(
        anyOf addresses: [AirPlayAddress], password: String?, timeouts: AirPlayTimeouts
    ) async throws(AirPlayError) -> RTSPConnection {
        var failure = AirPlayError.unreachable("it has no address")
        for address in addresses {
            let connection = RTSPConnection(
                eventLoop: AirPlayTransport.group.next(), password: password, timeouts: timeouts)
            do {
                try await connection.connect(address)
                return connection
            } catch {
                await connection.close()
                failure = .unreachable(AirPlayTransport.describe(error))
            }
        }
        throw failure
    }

    /// Both ends' addresses; `nil` once it is closed.
    var ends: (local: SocketAddress, remote: SocketAddress)? {
        guard let local = channel?.localAddress, let remote = channel?.remoteAddress else { return nil }
        return (local, remote)
    }

    /// Asks, and gives any answer other than a challenge.
    func perform(_ request: RTSPRequest) async throws(AirPlayError) -> RTSPResponse {
        lastRequest += 1
        let id = lastRequest
        let result = await withCheckedContinuation { continuation in
            waiters[id] = continuation
            run(machine.submit(id, request))
        }
        return try result.get()
    }

    /// Encrypts everything from now on, in both directions.
    func encrypt(by keys: ChannelKeys) { cipher = EncryptedChannel(keys) }

    /// Adds header fields to all later requests.
    func tell(_ headers: RTSPHeaders) { machine.append(headers) }

    /// Ends the connection; all waiting requests fail with ``AirPlayError/disconnected(_:)``.
    func close() { run(machine.disconnected("it was closed")) }

    private func connect(_ address: AirPlayAddress) async throws {
        var bootstrap = ClientBootstrap(group: eventLoop)
            .connectTimeout(TimeAmount(timeouts.connecting))
            .channelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(RTSPConnectionHandler(connection: self))
                }
            }
        for (option, value) in AirPlayTransport.livenessOptions {
            bootstrap = bootstrap.channelOption(option, value: value)
        }
        // A numeric address needs no resolver; a scope (`%eth0`) does, for the interface's number.
        if let numeric = try? SocketAddress(ipAddress: address.host, port: address.port) {
            _ = try await bootstrap.connect(to: numeric).get()
        } else {
            _ = try await bootstrap.connect(host: address.host, port: address.port).get()
        }
    }

    // MARK: Called by the handler, on the event loop

    func channelActive(_ channel: any Channel) {
        guard !machine.isClosed else { return channel.close(promise: nil) }
        self.channel = channel
    }

    func channelRead(_ buffer: ByteBuffer) {
        guard cipher != nil else { return received(buffer.readableBytesView) }
        do throws(PairingError) {
            received(try cipher?.open(buffer.readableBytesView) ?? [])
        } catch {
            run(machine.broken(.malformed("its encryption")))
        }
    }

    func channelEnded(_ reason: String) { run(machine.disconnected(reason)) }

    private func received(_ bytes: some Collection<UInt8>) {
        if let actions = reverse?.received(bytes) { run(actions) } else { run(machine.received(bytes)) }
    }

    private func run(_ actions: [RTSPConnectionMachine.Action]) {
        for action in actions {
            switch action {
            case .send(let bytes): send(bytes)
            case .complete(let id, let result): waiters.removeValue(forKey: id)?.resume(returning: result)
            case .expectAnswer(let isExpected): restartTimer(isExpected)
            case .switched(let rest):
                reverse = ReverseConnectionMachine()
                received(rest)
            case .close(let error): finish(error)
            }
        }
    }

    private func run(_ actions: [ReverseConnectionMachine.Action]) {
        for action in actions {
            switch action {
            case .send(let bytes): send(bytes)
            case .event(let event): eventContinuation.yield(event)
            case .close(let error): run(machine.broken(error))
            }
        }
    }

    private func send(_ bytes: [UInt8]) {
        do throws(PairingError) {
            let bytes = try cipher?.seal(bytes) ?? bytes
            channel.map { $0.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }
        } catch {
            run(machine.broken(.malformed("its encryption")))
        }
    }

    private func restartTimer(_ isExpected: Bool) {
        timer?.cancel()
        timer = nil
        guard isExpected else { return }
        timer = eventLoop.scheduleTask(in: TimeAmount(timeouts.answer)) { [weak self] in
            self?.assumeIsolated { $0.run($0.machine.timedOut()) }
        }
    }

    private func finish(_ error: AirPlayError) {
        channel?.close(promise: nil)
        channel = nil
        endContinuation.yield(error)
        endContinuation.finish()
        eventContinuation.finish()
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// Passes a channel's events to its ``RTSPConnection``, whose executor is the channel's event loop.
final class RTSPConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let connection: RTSPConnection

    init(connection: RTSPConnection) { self.connection = connection }

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        connection.assumeIsolated { $0.channelActive(channel) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        connection.assumeIsolated { $0.channelRead(buffer) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection.assumeIsolated { $0.channelEnded("the speaker closed it") }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let reason = AirPlayTransport.describe(error)
        connection.assumeIsolated { $0.channelEnded(reason) }
    }
}
