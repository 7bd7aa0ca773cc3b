import Backoff
package import DBus

/// A client of bluetoothd (BlueZ 5) that is connected while it is in use.
///
/// It connects to the system bus with the first reader, scan or request and disconnects after the last, which also ends
/// everything bluetoothd did for it. If the bus or bluetoothd goes away, it waits: readers see the state change, and
/// scans continue when it returns.
package actor BlueZClient {
    package nonisolated let loop: DBusLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    static let service = "org.bluez"
    private static let broker = "org.freedesktop.DBus"

    private let address: String?
    let clock: any Clock<Duration>

    private(set) var tree = BlueZTree()
    private(set) var state = BlueZState.connecting
    private(set) var connection: DBusConnection?
    private(set) var agent: PairingAgent?
    private(set) var owner: String?
    private var run: Task<Void, Never>?
    /// Readers, scans and requests under way.
    private var users = 0
    private var readers = UpdateReaders()
    private var lastNumber = 0
    /// Signals that arrived during the request for the whole state. They may or may not be part of the reply; the last
    /// one counts.
    private var early: [DBusSignal]?
    private var loadNumber = 0

    var plan = ScanPlan()
    var planning: Task<Void, Never>?
    /// The streams that receive the values of each characteristic.
    var notifications: [BlueZIdentifier: [Int: AsyncStream<[UInt8]>.Continuation]] = [:]

    /// - Parameters:
    ///   - address: The bus (`unix:path=/run/x`); `nil`: the system bus, which `DBUS_SYSTEM_BUS_ADDRESS` may name.
    ///   - clock: For the pauses between attempts to reach the bus, and the limit of a search.
    package init(address: String? = nil, clock: any Clock<Duration> = ContinuousClock()) {
        self.address = address
        self.clock = clock
        loop = DBusLoop(label: "mdhost.bluez")
    }

    // MARK: Following

    /// The state of things, and then every change. The first comes when it is known whether there is a bluetoothd.
    package func updates() -> AsyncStream<BlueZUpdate> {
        let number = nextNumber()
        readers.add(number, changed: tree.identifiers, hasNews: state != .connecting)
        retain()
        let membership = Membership { [weak self] in
            Task { [weak self] in await self?.leave(number) }
        }
        return AsyncStream { [weak self] in
            let update = await self?.next(number)
            withExtendedLifetime(membership) {}
            return update
        }
    }

    private func next(_ number: Int) async -> BlueZUpdate? {
        while readers.contains(number), !Task.isCancelled {
            if let changed = readers.take(number) { return BlueZUpdate(state: state, tree: tree, changed: changed) }
            await withTaskCancellationHandler {
                await withCheckedContinuation { readers.wait(number, $0) }
            } onCancel: {
                Task { await self.leave(number) }
            }
        }
        leave(number)
        return nil
    }

    private func leave(_ number: Int) {
        guard readers.contains(number) else { return }
        readers.remove(number)
        release()
    }

    /// Returns the current state as soon as it is known.
    package func current() async -> BlueZUpdate {
        for await update in updates() { return update }
        return BlueZUpdate(state: state, tree: tree, changed: [])
    }

    func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    // MARK: Being wanted

    func retain() {
        users += 1
        guard run == nil else { return }
        run = Task { [weak self] in await self?.followBus() }
    }

    func release() {
        users -= 1
        guard users == 0 else { return }
        run?.cancel()
        run = nil
        planning?.cancel()
        planning = nil
        forgetService(.connecting)
        if let connection { Task { await connection.close() } }
        connection = nil
        agent = nil
    }

    private func followBus() async {
        var backoff = Backoff(from: .seconds(1), upTo: .seconds(30))
        while !Task.isCancelled {
            do throws(DBusError) {
                let connection = try await openConnection()
                if Task.isCancelled { return await connection.close() }
                self.connection = connection
                backoff.reset()
                try await follow(connection)
            } catch {
                guard !Task.isCancelled else { return }
                set(.unavailable(BlueZError(error)))
            }
            guard !Task.isCancelled else { return }
            connection = nil
            agent = nil
            forgetService(state == .running ? .unavailable(BlueZError(.noSystemBus, "The system bus is gone.")) : state)
            guard (try? await clock.sleep(for: backoff.next())) != nil else { return }
        }
    }

    private func openConnection() async throws(DBusError) -> DBusConnection {
        let connection = DBusConnection(loop: loop)
        do throws(DBusError) {
            if let address { try await connection.open(address: address) } else { try await connection.openSystemBus() }
            try await connection.ready()
            return connection
        } catch {
            await connection.close()
            // Whatever the error's name, the cause is that the bus can't be reached.
            throw DBusError(name: DBusError.Name.disconnected, message: error.message)
        }
    }

    /// Follows the connection until it ends.
    private func follow(_ connection: DBusConnection) async throws(DBusError) {
        let owners = try await connection.signals(
            sender: Self.broker, interface: Self.broker, member: "NameOwnerChanged", firstArgument: Self.service)
        try await connection.forward(signalsOf: Self.service) { [weak self, weak connection] signal in
            guard let self, let connection else { return }
            assumeIsolated { $0.receive(signal, over: connection) }
        }
        let agent = PairingAgent(loop: loop)
        try await agent.attach(connection)
        self.agent = agent
        await findOwner(connection)
        for await signal in owners where signal.arguments.count == 3 {
            let name = signal.arguments[2].asString ?? ""
            await ownerChanged(to: name.isEmpty ? nil : name, over: connection)
        }
    }

    // MARK: bluetoothd comes and goes

    /// Requests bluetoothd, which the bus starts if it isn't running and the machine allows it.
    private func findOwner(_ connection: DBusConnection) async {
        do throws(DBusError) {
            let name: String?
            do throws(DBusError) {
                name = try await ownerName(connection)
            } catch {
                _ = try await callBroker(connection, "StartServiceByName", [.string(Self.service), .uint32(0)])
                name = try await ownerName(connection)
            }
            await ownerChanged(to: name, over: connection)
        } catch {
            // It may have come on its own meanwhile.
            guard owner == nil, self.connection === connection else { return }
            set(.unavailable(BlueZError(error).asAbsence))
        }
    }

    private func ownerName(_ connection: DBusConnection) async throws(DBusError) -> String? {
        try await callBroker(connection, "GetNameOwner", [.string(Self.service)]).first?.asString
    }

    private func callBroker(
        _ connection: DBusConnection, _ member: String, _ arguments: [DBusValue]
    ) async throws(DBusError) -> [DBusValue] {
        try await connection.call(
            Self.broker, path: "/org/freedesktop/DBus", interface: Self.broker, member: member, arguments)
    }

    private func ownerChanged(to name: String?, over connection: DBusConnection) async {
        guard self.connection === connection, name != owner || name == nil else { return }
        forgetService(name == nil ? .unavailable(BlueZError(.notRunning, "bluetoothd is not running.")) : .connecting)
        owner = name
        await agent?.setAsker(name)
        if name != nil { await load(over: connection) }
    }

    private func load(over connection: DBusConnection) async {
        loadNumber += 1
        let number = loadNumber
        early = []
        do throws(DBusError) {
            _ = try await connection.call(
                Self.service, path: "/org/bluez", interface: "org.bluez.AgentManager1", member: "RegisterAgent",
                [.objectPath(PairingAgent.path), .string(PairingAgent.capability)])
            let reply = try await connection.call(
                Self.service, path: "/", interface: "org.freedesktop.DBus.ObjectManager", member: "GetManagedObjects")
            guard number == loadNumber, self.connection === connection else { return }
            var changed = tree.replace(with: BlueZTree(managed: reply.first))
            for signal in early ?? [] { changed.formUnion(tree.apply(signal)) }
            early = nil
            set(.running, changed)
            advanceScans()
        } catch {
            guard number == loadNumber, self.connection === connection else { return }
            early = nil
            set(.unavailable(BlueZError(error)))
        }
    }

    private func receive(_ signal: DBusSignal, over connection: DBusConnection) {
        guard self.connection === connection, let sender = signal.sender, sender == owner else { return }
        guard early == nil else {
            early?.append(signal)
            return
        }
        let changed = tree.apply(signal)
        deliverNotification(signal)
        guard !changed.isEmpty else { return }
        readers.tell(changed)
        if changed.contains(where: { tree.adapter($0) != nil || !tree.contains($0) }) {
            plan.forgetRefusals()
            advanceScans()
        }
        endNotifications()
    }

    /// Drops the state of a bluetoothd that is gone.
    private func forgetService(_ state: BlueZState) {
        owner = nil
        early = nil
        loadNumber += 1
        plan.restart()
        let changed = tree.replace(with: BlueZTree())
        endNotifications()
        if state != self.state || !changed.isEmpty { set(state, changed) }
    }

    private func set(_ state: BlueZState, _ changed: Set<BlueZIdentifier> = []) {
        self.state = state
        // Readers get no update while no state is known yet.
        if state != .connecting || !changed.isEmpty { readers.tell(changed) }
    }
}

extension BlueZTree {
    var identifiers: Set<BlueZIdentifier> { Set(objects.keys) }
}

extension BlueZError {
    /// The error of an attempt to start bluetoothd. Unless access is denied or the bus is missing, it means that
    /// bluetoothd isn't running.
    fileprivate var asAbsence: BlueZError {
        code == .accessDenied || code == .noSystemBus ? self : BlueZError(.notRunning, "bluetoothd is not running.")
    }
}
