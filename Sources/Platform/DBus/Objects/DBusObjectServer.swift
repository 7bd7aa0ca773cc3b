import CSystemd

/// One tree of objects on any number of connections of its loop, peer to peer and on buses alike.
///
/// Introspection, `Properties` and `ObjectManager` are sd-bus'. Objects are at the object manager's path or below.
package actor DBusObjectServer {
    package nonisolated let loop: DBusLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Callers whose connection has ended; each comes once. One reader.
    package nonisolated let clientsGone: AsyncStream<DBusClient>

    private let goneFeed: AsyncStream<DBusClient>.Continuation
    private let tree: ObjectTree
    private var tables: [String: InterfaceTable] = [:]
    private var attachments: [Int: Attachment] = [:]
    private var lastAttachment = 0

    /// - Parameter objectManagerPath: A valid object path; `/` is one.
    package init(loop: DBusLoop, objectManagerPath: String) {
        self.loop = loop
        tree = ObjectTree(root: objectManagerPath)
        (clientsGone, goneFeed) = AsyncStream.makeStream(of: DBusClient.self, bufferingPolicy: .unbounded)
    }

    isolated deinit {
        for attachment in attachments.values { attachment.remove() }
        goneFeed.finish()
    }

    // MARK: Connections

    /// Shows all objects on `connection`, which was made with the same loop, until it closes.
    ///
    /// A peer connection begins to read here, if it has not yet.
    package func attach(_ connection: DBusConnection) async throws(DBusError) {
        guard connection.loop === loop else {
            throw .invalidArguments("the connection and the object server are on different loops")
        }
        lastAttachment += 1
        let number = lastAttachment
        let (driver, credentials) = try connection.onLoop { connection throws(DBusError) in
            (try connection.openDriver(), connection.kind == .bus ? nil : connection.peerCredentials)
        }
        let attachment = try Attachment(
            number: number, connection: connection, driver: driver, tree: tree, processID: credentials?.processID
        ) { [weak self] client in self?.assumeIsolated { $0.leave(client) } }
        do throws(DBusError) {
            for table in tables.values { try attachment.register(table) }
            attachments[number] = attachment
            try connection.onLoop { connection throws(DBusError) in
                connection.onClose { [weak self] in self?.assumeIsolated { $0.detach(number) } }
                try connection.start()
            }
        } catch {
            attachments[number] = nil
            attachment.remove()
            throw error
        }
    }

    private func detach(_ number: Int) {
        guard let attachment = attachments.removeValue(forKey: number) else { return }
        let clients = attachment.clients
        attachment.remove()
        for client in clients { goneFeed.yield(client) }
    }

    private func leave(_ client: DBusClient) {
        guard let attachment = attachments[client.connection] else { return }
        attachment.forget(client)
        goneFeed.yield(client)
    }

    // MARK: Objects

    /// Adds interfaces to the object at `path`, which may be new, and emits `InterfacesAdded` on every connection.
    ///
    /// - Parameter interfaces: Each with a value for every declared property, except for computed ones.
    /// - Throws: ``DBusError/Name/invalidArguments`` for a path outside the tree and missing or ill-typed values;
    ///   `Name.failed` for an interface the object has, or that other objects declare differently.
    package func add(path: String, _ interfaces: [(DBusInterface, [String: DBusValue])]) throws(DBusError) {
        try insert(path, interfaces.map { ($0.0, $0.1) })
    }

    /// Adds an object for one connection only: it is listed, announced and callable only there, and is removed with the
    /// connection or by ``remove(path:of:)``. On a bus all clients share the connection.
    ///
    /// - Throws: As ``add(path:_:)``; ``DBusError/Name/disconnected`` if the client is gone.
    package func add(
        path: String, _ interface: DBusInterface, _ values: [String: DBusValue] = [:], for client: DBusClient
    ) throws(DBusError) {
        guard let attachment = attachments[client.connection] else { throw .disconnected("the client is gone") }
        try declare([interface], at: path)
        try attachment.own.add(path, [(interface, values)])
        withStrings([interface.name]) { names in
            attachment.emit { sd_bus_emit_interfaces_added_strv($0, path, names) }
        }
    }

    /// Removes an object of one connection, if it exists.
    package func remove(path: String, of client: DBusClient) {
        guard let attachment = attachments[client.connection] else { return }
        let interfaces = attachment.own.remove(path)
        guard !interfaces.isEmpty else { return }
        withStrings(interfaces) { names in
            attachment.emit { sd_bus_emit_interfaces_removed_strv($0, path, names) }
        }
    }

    /// Signals to one connection that a property has another value there.
    package func tellChange(path: String, interface: String, property: String, on connection: Int) {
        guard let attachment = attachments[connection] else { return }
        withStrings([property]) { names in
            attachment.emit { sd_bus_emit_properties_changed_strv($0, path, interface, names) }
        }
    }

    /// Shows an object with these values: adds it, or emits the differences from the previous values.
    ///
    /// - Parameter declaration: The declaration of the interface, for an object that doesn't exist yet.
    /// - Throws: As ``add(path:_:)``.
    package func put(
        path: String, interface: String, _ values: any DBusPropertyValues, declaration: () -> DBusInterface
    ) throws(DBusError) {
        if let changed = tree.replace(path, interface, values) {
            emitChange(path, interface, changed)
        } else {
            try insert(path, [(declaration(), values)])
        }
    }

    private func insert(_ path: String, _ interfaces: [(DBusInterface, any DBusPropertyValues)]) throws(DBusError) {
        try declare(interfaces.map(\.0), at: path)
        try tree.add(path, interfaces)
        withStrings(interfaces.map(\.0.name)) { names in
            for attachment in attachments.values {
                attachment.emit { sd_bus_emit_interfaces_added_strv($0, path, names) }
            }
        }
    }

    private func declare(_ interfaces: [DBusInterface], at path: String) throws(DBusError) {
        var added: [InterfaceTable] = []
        for interface in interfaces {
            if let table = tables[interface.name] ?? added.first(where: { $0.name == interface.name }) {
                guard table.shape == interface.shape else {
                    throw DBusError(
                        name: DBusError.Name.failed,
                        message: "\(interface.name) of \(path) is not declared as on other objects")
                }
            } else {
                added.append(InterfaceTable(name: interface.name, shape: interface.shape))
            }
        }
        for table in added {
            for attachment in attachments.values { try attachment.register(table) }
            tables[table.name] = table
        }
    }

    /// Removes the object, if it exists, and emits `InterfacesRemoved`.
    package func remove(path: String) {
        let interfaces = tree.remove(path)
        guard !interfaces.isEmpty else { return }
        withStrings(interfaces) { names in
            for attachment in attachments.values {
                attachment.emit { sd_bus_emit_interfaces_removed_strv($0, path, names) }
            }
        }
    }

    /// Stores values and emits one `PropertiesChanged` with those that differ, or none if all are equal.
    ///
    /// Undeclared properties and values of another type than declared are ignored. Use it for objects that were added
    /// with a dictionary of values.
    package func update(path: String, interface: String, _ values: [String: DBusValue]) {
        emitChange(path, interface, tree.update(path, interface, values) ?? [])
    }

    private func emitChange(_ path: String, _ interface: String, _ changed: [String]) {
        guard !changed.isEmpty else { return }
        withStrings(changed) { names in
            for attachment in attachments.values {
                attachment.emit { sd_bus_emit_properties_changed_strv($0, path, interface, names) }
            }
        }
    }

    /// Makes exactly these paths lead to the object as well, for clients that know it by an earlier path. Neither
    /// introspection nor the object manager lists them, and signals come only from the object's own path.
    package func setAliases(_ paths: [String], of path: String) { tree.setAliases(paths, of: path) }

    package func value(path: String, interface: String, property: String) -> DBusValue? {
        tree.entry(path, interface)?.value(of: property, on: 0)
    }

    /// The paths of all objects, in no order.
    package var paths: [String] { Array(tree.objects.keys) }

    // MARK: Talking to clients

    /// Emits a signal to all clients, or to one. Disconnected clients are skipped.
    package func emitSignal(
        path: String, interface: String, member: String, _ arguments: [DBusValue] = [], to client: DBusClient? = nil
    ) {
        let receivers = client.map { attachments[$0.connection].map { [$0] } ?? [] } ?? Array(attachments.values)
        for attachment in receivers {
            attachment.connection.assumeIsolated {
                try? $0.emitSignal(path: path, interface: interface, member: member, arguments, to: client?.busName)
            }
            attachment.emit { _ in 0 }
        }
    }

    /// Calls a method of a client, such as a prompt it implements.
    package func call(
        _ client: DBusClient, path: String, interface: String, member: String, _ arguments: [DBusValue] = [],
        timeout: Duration = .seconds(25)
    ) async throws(DBusError) -> [DBusValue] {
        guard let attachment = attachments[client.connection] else { throw .disconnected("the client is gone") }
        return try await attachment.connection.call(
            client.busName, path: path, interface: interface, member: member, arguments, timeout: timeout)
    }

    /// Returns a Boolean value that indicates whether the client is still connected.
    ///
    /// It is false before the client appears in ``clientsGone``. State kept for a client is therefore either refused by
    /// calling this after storing it, or removed when the client appears there.
    package func isConnected(_ client: DBusClient) -> Bool {
        attachments[client.connection]?.clients.contains(client) ?? false
    }

    /// Returns the client's process, from the broker if the socket doesn't report it.
    package func processID(of client: DBusClient) async throws(DBusError) -> Int32 {
        if let known = client.processID { return known }
        guard let attachment = attachments[client.connection], let name = client.busName else {
            throw .disconnected("the client is gone")
        }
        return try await attachment.connection.processID(of: name)
    }
}

extension DBusConnection {
    /// Runs `body` at once; the caller is on the loop.
    nonisolated func onLoop<Value: Sendable>(
        _ body: @Sendable (isolated DBusConnection) throws(DBusError) -> Value
    ) throws(DBusError) -> Value {
        let result = assumeIsolated { connection -> Result<Value, DBusError> in
            do throws(DBusError) { return .success(try body(connection)) } catch { return .failure(error) }
        }
        return try result.get()
    }
}

/// `strings` as the C list of strings sd-bus takes, for the time of `body`.
private func withStrings(_ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Void) {
    let copies = strings.map { string -> UnsafeMutablePointer<CChar>? in
        let bytes = string.utf8CString
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        for (index, byte) in bytes.enumerated() { copy[index] = byte }
        return copy
    }
    var list = copies + [nil]
    list.withUnsafeMutableBufferPointer { buffer in
        if let start = buffer.baseAddress { body(start) }
    }
    for copy in copies { copy?.deallocate() }
}
