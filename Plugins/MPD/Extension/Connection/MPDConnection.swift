import MPDProtocol
import NIOCore
import NIOPosix

/// One connection to a server: performs what ``MPDConnectionMachine`` decides, on the event loop that carries the socket.
///
/// The actor's executor is that event loop, so bytes, timers and requests are totally ordered without a lock.
actor MPDConnection {
    nonisolated let eventLoop: any EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    /// An element whenever the server's state should be asked for anew; ends with the connection. One consumer; what it
    /// does not take in time is one element, since the state asked for then is the same.
    nonisolated let changes: AsyncStream<Void>

    private let changesContinuation: AsyncStream<Void>.Continuation
    private let timeouts: MPDTimeouts
    private var machine: MPDConnectionMachine
    private var channel: (any Channel)?
    private var timer: Scheduled<Void>?
    private var readiness: Result<MPDVersion, MPDError>?
    private var readinessWaiter: CheckedContinuation<Result<MPDVersion, MPDError>, Never>?
    private var waiters: [MPDConnectionMachine.RequestID: CheckedContinuation<Result<MPDReply, MPDError>, Never>] = [:]
    private var lastRequest: MPDConnectionMachine.RequestID = 0

    /// - Parameter password: Sent right after the greeting; `nil` for none.
    init(eventLoop: any EventLoop, password: String?, timeouts: MPDTimeouts = MPDTimeouts()) {
        self.eventLoop = eventLoop
        self.timeouts = timeouts
        machine = MPDConnectionMachine(password: password)
        (changes, changesContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Connects to one address and waits until commands may be sent.
    ///
    /// Called once.
    ///
    /// - Returns: The protocol version the server greeted with.
    /// - Throws: ``MPDError``: `unreachable`, `timedOut`, `notMPD`, or `refused` for a wrong password.
    func open(_ address: MPDAddress) async throws(MPDError) -> MPDVersion {
        do {
            try await connect(address)
        } catch {
            run(machine.disconnected("no connection"))
            throw .unreachable(Self.describe(error))
        }
        let result = await withCheckedContinuation { continuation in
            if let readiness { continuation.resume(returning: readiness) } else { readinessWaiter = continuation }
        }
        return try result.get()
    }

    /// Sends one command, or several as a list the server performs as a whole up to the first refusal.
    ///
    /// - Returns: One part per command.
    /// - Throws: ``MPDError``: `refused` leaves the connection usable, everything else means it is over or, for
    ///   `invalidCommand`, that nothing was sent.
    func perform(_ commands: [MPDCommand]) async throws(MPDError) -> MPDReply {
        lastRequest += 1
        let request = lastRequest
        let result = await withCheckedContinuation { continuation in
            waiters[request] = continuation
            run(machine.submit(request, commands))
        }
        return try result.get()
    }

    /// Sends one command and gives its answer's fields.
    func perform(_ command: MPDCommand) async throws(MPDError) -> MPDReply.Part {
        try await perform([command]).first
    }

    /// Makes ``changes`` yield, as if the server had told of a change.
    nonisolated func requestObservation() { changesContinuation.yield() }

    /// Ends the connection; whatever waits for it fails with ``MPDError/disconnected(_:)``.
    func close() { run(machine.disconnected("it was closed")) }

    // MARK: Called by the handler, on the event loop

    func channelActive(_ channel: any Channel) {
        guard !machine.isClosed else { return channel.close(promise: nil) }
        // Kept from here on and not from `connect`'s end: the greeting may be answered before that is resumed.
        self.channel = channel
        run(machine.connected())
    }

    func channelRead(_ buffer: ByteBuffer) { run(machine.received(buffer.readableBytesView)) }

    func channelEnded(_ reason: String) { run(machine.disconnected(reason)) }

    // MARK: Performing

    private func connect(_ address: MPDAddress) async throws {
        var bootstrap = ClientBootstrap(group: eventLoop)
            .connectTimeout(TimeAmount(timeouts.connecting))
            .channelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(MPDConnectionHandler(connection: self))
                }
            }
        for (option, value) in Self.livenessOptions { bootstrap = bootstrap.channelOption(option, value: value) }
        // A numeric address needs no resolver; a scope (`%eth0`) does, for the interface's number.
        if let numeric = try? SocketAddress(ipAddress: address.host, port: address.port) {
            _ = try await bootstrap.connect(to: numeric).get()
        } else {
            _ = try await bootstrap.connect(host: address.host, port: address.port).get()
        }
    }

    private func run(_ actions: [MPDConnectionMachine.Action]) {
        for action in actions {
            switch action {
            case .send(let bytes): channel.map { send(bytes, on: $0) }
            case .ready(let version): ready(.success(version))
            case .complete(let request, let result): waiters.removeValue(forKey: request)?.resume(returning: result)
            case .changed: changesContinuation.yield()
            case .expect(let expectation): restartTimer(expectation)
            case .close(let error): finish(error)
            }
        }
    }

    private func send(_ bytes: [UInt8], on channel: any Channel) {
        channel.writeAndFlush(channel.allocator.buffer(bytes: bytes), promise: nil)
    }

    private func ready(_ result: Result<MPDVersion, MPDError>) {
        guard readiness == nil else { return }
        readiness = result
        readinessWaiter?.resume(returning: result)
        readinessWaiter = nil
    }

    private func restartTimer(_ expectation: MPDConnectionMachine.Expectation?) {
        timer?.cancel()
        timer = nil
        guard let expectation else { return }
        let limit = expectation == .greeting ? timeouts.greeting : timeouts.answer
        timer = eventLoop.scheduleTask(in: TimeAmount(limit)) { [weak self] in
            self?.assumeIsolated { $0.run($0.machine.timedOut()) }
        }
    }

    private func finish(_ error: MPDError) {
        ready(.failure(error))
        channel?.close(promise: nil)
        channel = nil
        changesContinuation.finish()
    }
}
