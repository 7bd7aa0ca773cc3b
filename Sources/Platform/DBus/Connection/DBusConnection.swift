import CSystemd
import Glibc

/// One connection: to a bus, or straight to a peer over a socket.
///
/// Runs on its loop. Everything sent goes out in the order of the calls; everything received is handled in the order on
/// the wire.
///
/// A connection to a peer begins to read when it is first used (a call, a signal, a subscription, an attachment to a
/// ``DBusObjectServer``) or by ``start()``, so that nothing the peer sends at once meets an object that is not there yet.
package actor DBusConnection {
    /// The side of the authentication handshake; calls go in both directions either way.
    package enum Role: Sendable { case client, server }

    enum Kind: Equatable {
        case bus
        case peer(Role)
    }

    package nonisolated let loop: DBusLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// The credentials of the peer; on a bus those of the broker. `nil` before opening and for sockets without
    /// credentials.
    package private(set) var peerCredentials: DBusCredentials?

    var driver: BusDriver?
    private(set) var kind = Kind.bus
    /// The server of a socket doesn't trust the other end.
    var limits: MessageReader.Limits { kind == .peer(.server) ? .untrusted : .none }
    /// A closed connection can't send or receive.
    private var isClosed = false
    /// A Boolean value that indicates whether the connection ended because the peer sent an invalid D-Bus message.
    package private(set) var wasMalformed = false
    /// The descriptor is gone, too.
    private var isReleased = false
    private var nextIdentifier: UInt64 = 1
    var pendingCalls: [UInt64: PendingCall] = [:]
    var subscriptions: [UInt64: SignalSubscription] = [:]
    private var closeHandlers: [@Sendable () -> Void] = []
    private var closeWaiters = Waiters<Void>()
    private var readyWaiters = Waiters<Result<Void, DBusError>>()
    private var peerNames: PeerNames?

    package init(loop: DBusLoop) { self.loop = loop }

    isolated deinit {
        endOperations()
        peerNames?.remove()
        driver?.abort()
    }

    // MARK: Opening

    /// Connects to the session bus of `DBUS_SESSION_BUS_ADDRESS`, else of `XDG_RUNTIME_DIR`.
    package func openSessionBus() throws(DBusError) {
        try openBus("connect to the session bus") { sd_bus_open_user($0) }
    }

    package func openSystemBus() throws(DBusError) {
        try openBus("connect to the system bus") { sd_bus_open_system($0) }
    }

    /// Connects to the bus, or to a server that speaks like one, at `address` (`unix:path=/run/x`).
    package func open(address: String) throws(DBusError) {
        try openBus("connect to \(address)") { result in
            var bus: OpaquePointer?
            var status = sd_bus_new(&bus)
            if status >= 0 { status = sd_bus_set_address(bus, address) }
            if status >= 0 { status = sd_bus_set_bus_client(bus, 1) }
            if status >= 0 { status = sd_bus_start(bus) }
            if status < 0 { sd_bus_close_unref(bus) } else { result.pointee = bus }
            return status
        }
    }

    /// Talks to the process at the other end of a stream socket.
    ///
    /// - Parameters:
    ///   - fileDescriptor: Taken over, also when this throws.
    ///   - names: The bus names the server role answers to when a generic client asks for owners; empty: every
    ///     well-known name.
    ///   - clientSpeaksFirst: The server role sends no signal before the client's first message. A client that takes the
    ///     peer for a bus expects the answer to its `Hello` before anything else; sd-bus gives up with `EIO` otherwise.
    package func openPeer(
        fileDescriptor: Int32, role: Role, names: Set<String> = [], clientSpeaksFirst: Bool = false
    ) throws(DBusError) {
        guard driver == nil, !isClosed else {
            closeDescriptor(fileDescriptor)
            throw DBusError(name: DBusError.Name.failed, message: "the connection was opened before")
        }
        var bus: OpaquePointer?
        guard sd_bus_new(&bus) >= 0, let bus, sd_bus_set_fd(bus, fileDescriptor, fileDescriptor) >= 0 else {
            sd_bus_unref(bus)
            closeDescriptor(fileDescriptor)
            throw .disconnected("descriptor \(fileDescriptor) is no stream socket")
        }
        sd_bus_negotiate_fds(bus, 1)
        if role == .server {
            var identifier = sd_id128_t()
            sd_id128_randomize(&identifier)
            sd_bus_set_server(bus, 1, identifier)
        }
        kind = .peer(role)
        peerCredentials = DBusCredentials(socket: fileDescriptor)
        adopt(bus)
        if role == .server {
            peerNames = PeerNames(bus: bus, names: names, hasClientSpoken: !clientSpeaksFirst)
        }
    }

    /// Begins to read and write on a peer connection that is not used in any other way yet.
    package func start() throws(DBusError) { _ = try startedDriver() }

    private func openBus(
        _ doing: String, _ open: (UnsafeMutablePointer<OpaquePointer?>) -> Int32
    ) throws(DBusError) {
        guard driver == nil, !isClosed else {
            throw DBusError(name: DBusError.Name.failed, message: "the connection was opened before")
        }
        var bus: OpaquePointer?
        let status = open(&bus)
        guard status >= 0, let bus else { throw .disconnected(DBusError(code: -status, doing).message) }
        peerCredentials = DBusCredentials(socket: sd_bus_get_fd(bus))
        adopt(bus)
        driver?.start()
    }

    private func adopt(_ bus: OpaquePointer) {
        let driver = BusDriver(bus: bus, loop: loop)
        driver.onReady = { [weak self] in self?.assumeIsolated { $0.readyWaiters.resumeAll(returning: .success(())) } }
        driver.onFinish = { [weak self] in self?.assumeIsolated { $0.finish() } }
        driver.onClosed = { [weak self] in self?.assumeIsolated { $0.release() } }
        self.driver = driver
    }

    /// The driver, started or not.
    func openDriver() throws(DBusError) -> BusDriver {
        guard let driver, !isClosed, driver.phase == .idle || driver.phase == .running else { throw .disconnected() }
        return driver
    }

    /// The driver, reading and writing.
    func startedDriver() throws(DBusError) -> BusDriver {
        guard let driver, !isClosed else { throw .disconnected() }
        if driver.phase == .idle {
            if case .peer = kind {
                let status = sd_bus_start(driver.bus)
                guard status >= 0 else {
                    driver.abort()
                    throw .disconnected(DBusError(code: -status, "start the connection").message)
                }
            }
            driver.start()
        }
        guard driver.phase == .running else { throw .disconnected() }
        return driver
    }

    // MARK: State

    /// The unique name on a bus; `nil` until ``ready()`` and peer to peer.
    package var uniqueName: String? {
        guard kind == .bus, let driver, driver.phase == .running, sd_bus_is_ready(driver.bus) > 0 else { return nil }
        var name: UnsafePointer<CChar>?
        guard sd_bus_get_unique_name(driver.bus, &name) >= 0, let name else { return nil }
        return String(cString: name)
    }

    /// Waits until authentication has finished and, on a bus, the unique name is known.
    package func ready() async throws(DBusError) {
        let driver = try startedDriver()
        if sd_bus_is_ready(driver.bus) > 0 { return }
        let identifier = makeIdentifier()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { readyWaiters.add($0, identifier) }
        } onCancel: {
            loop.async {
                self.assumeIsolated { $0.readyWaiters.resume(identifier, returning: .failure(.cancelled)) }
            }
        }
        try result.get()
    }

    /// Returns when the connection has ended for any reason and its descriptor is closed, or when the task is
    /// cancelled. Any number of tasks may wait.
    package func waitUntilClosed() async {
        if isReleased { return }
        let identifier = makeIdentifier()
        await withTaskCancellationHandler {
            await withCheckedContinuation { closeWaiters.add($0, identifier) }
        } onCancel: {
            loop.async { self.assumeIsolated { $0.closeWaiters.resume(identifier, returning: ()) } }
        }
    }

    /// Fails every pending call, ends every signal stream, writes queued messages (for at most a second) and closes.
    package func close() {
        endOperations()
        if let driver { driver.close() } else { finishUnopened() }
    }

    /// Closes and drops queued messages.
    package func abort() {
        if let driver { driver.abort() } else { finishUnopened() }
    }

    /// Runs `handler` on the loop when the connection ends; at once if it has ended.
    func onClose(_ handler: @escaping @Sendable () -> Void) {
        if isClosed { handler() } else { closeHandlers.append(handler) }
    }

    /// Returns the destination for a message to the peer.
    ///
    /// A peer that takes us for a bus ignores calls that are not addressed to the name it got.
    func address(_ destination: String?) -> String? { kind == .bus ? destination : peerNames?.greetedClient }

    /// A Boolean value that indicates whether the peer accepts signals already.
    var takesSignals: Bool { peerNames?.hasClientSpoken ?? true }

    /// Adds to the names a peer connection in the server role answers to.
    func addPeerName(_ name: String) { peerNames?.names.insert(name) }

    func removePeerName(_ name: String) { peerNames?.names.remove(name) }

    func makeIdentifier() -> UInt64 {
        defer { nextIdentifier += 1 }
        return nextIdentifier
    }

    private func finishUnopened() {
        finish()
        release()
    }

    private func release() {
        isReleased = true
        closeWaiters.resumeAll(returning: ())
    }

    private func endOperations() {
        let calls = pendingCalls.values
        let signals = subscriptions.values
        pendingCalls = [:]
        subscriptions = [:]
        for call in calls { call.finish(.failure(.disconnected())) }
        for subscription in signals { subscription.finish() }
    }

    private func finish() {
        guard !isClosed else { return }
        isClosed = true
        wasMalformed = driver?.wasMalformed ?? false
        endOperations()
        peerNames?.remove()
        peerNames = nil
        readyWaiters.resumeAll(returning: .failure(.disconnected()))
        let handlers = closeHandlers
        closeHandlers = []
        for handler in handlers { handler() }
    }
}

private func closeDescriptor(_ descriptor: Int32) { _ = Glibc.close(descriptor) }
