import CSystemd
import Glibc

/// A server's objects on one connection: the registrations with sd-bus, and the callers. On the loop.
///
/// Every interface is registered once, at the root of the tree, for all objects: sd-bus asks the tree about each path.
/// So a connection costs the same with ten objects and with ten thousand.
final class Attachment {
    let number: Int
    let connection: DBusConnection
    /// The objects of all connections.
    let tree: ObjectTree
    /// The objects of this connection only.
    let own: ObjectTree
    private let driver: BusDriver
    private let processID: Int32?
    private let onGone: @Sendable (DBusClient) -> Void
    private var slots: [OpaquePointer?] = []
    private var tables: [String: InterfaceTable] = [:]
    private var lastObject = LastObject()
    /// Bus names that called, with their watches; peer to peer the one caller without a name.
    private var callers: [String?: UInt64] = [:]

    /// Senders of this user. The broker gives out no name twice, so entries never have to be removed.
    private var admitted: Set<String> = []

    /// A client that leaves this much unread is cut off: it would take the memory of the whole process.
    private static let unreadLimit = 32_768

    init(
        number: Int, connection: DBusConnection, driver: BusDriver, tree: ObjectTree, processID: Int32?,
        onGone: @escaping @Sendable (DBusClient) -> Void
    ) throws(DBusError) {
        self.number = number
        self.connection = connection
        self.driver = driver
        self.tree = tree
        own = ObjectTree(root: tree.root)
        self.processID = processID
        self.onGone = onGone
        let context = Unmanaged.passUnretained(self).toOpaque()
        // sd-bus runs the filter that was added last first: callers are checked before their writes.
        var writes: OpaquePointer?
        try check(sd_bus_add_filter(driver.bus, &writes, takeWrite, context), "look at writes")
        slots.append(writes)
        // The peer of a socket was checked when it connected; a bus may admit other users.
        if connection.assumeIsolated({ $0.kind == .bus }) {
            var filter: OpaquePointer?
            try check(sd_bus_add_filter(driver.bus, &filter, admit, context), "look at callers")
            slots.append(filter)
        }
        var manager: OpaquePointer?
        try check(sd_bus_add_object_manager(driver.bus, &manager, tree.root), "manage objects at \(tree.root)")
        slots.append(manager)
        var enumerator: OpaquePointer?
        try check(
            sd_bus_add_node_enumerator(driver.bus, &enumerator, tree.root, enumerate, context),
            "enumerate objects at \(tree.root)")
        slots.append(enumerator)
    }

    func register(_ table: InterfaceTable) throws(DBusError) {
        guard tables[table.name] == nil else { return }
        var slot: OpaquePointer?
        try check(
            sd_bus_add_fallback_vtable(
                driver.bus, &slot, tree.root, table.name, table.entries, find,
                Unmanaged.passUnretained(self).toOpaque()),
            "register \(table.name)")
        tables[table.name] = table
        slots.append(slot)
    }

    /// Takes everything off the connection again.
    func remove() {
        for slot in slots { sd_bus_slot_unref(slot) }
        slots = []
        for (name, watch) in callers where name != nil {
            connection.assumeIsolated { $0.unsubscribe(watch) }
        }
        callers = [:]
    }

    /// All callers, to be reported when the connection ends.
    var clients: [DBusClient] { callers.keys.map(client(named:)) }

    // MARK: Sending

    /// Lets sd-bus emit a signal, and sends it. A client without an earlier request misses nothing.
    func emit(_ body: (OpaquePointer) -> Int32) {
        guard driver.phase == .running, connection.assumeIsolated({ $0.takesSignals }) else { return }
        _ = body(driver.bus)
        var unread: UInt64 = 0
        if sd_bus_get_n_queued_write(driver.bus, &unread) >= 0, unread > Self.unreadLimit {
            driver.abort()
            // After the messages are freed: they are between live blocks, and would be kept for the next messages.
            connection.loop.async { malloc_trim(0) }
        } else {
            driver.settle()
        }
    }

    // MARK: Receiving

    /// - Returns: `true` if it refused the call: only this user and root may call.
    fileprivate func refuse(_ message: OpaquePointer) -> Bool {
        guard sd_bus_message_is_method_call(message, nil, nil) > 0,
            let sender = sd_bus_message_get_sender(message).map({ String(cString: $0) }), !admitted.contains(sender)
        else { return false }
        guard sd_bus_query_sender_privilege(message, -1) <= 0 else {
            if admitted.count >= 1024 { admitted = [] }
            admitted.insert(sender)
            return false
        }
        let reference = MessageReference(message, loop: connection.loop)
        let error = DBusError(name: DBusError.Name.accessDenied, message: "This serves programs of its own user only.")
        connection.assumeIsolated { $0.reply(to: reference, .failure(error)) }
        return true
    }

    func entry(_ path: UnsafePointer<CChar>, _ interface: UnsafePointer<CChar>) -> ObjectTree.Entry? {
        if let entry = lastObject.entry(tree, path, interface) { return entry }
        guard !own.objects.isEmpty else { return nil }
        return own.objects[String(cString: path)]?.first { $0.interface.isNamed(interface) }
    }

    private func entry(_ path: String, _ interface: String) -> ObjectTree.Entry? {
        tree.entry(path, interface) ?? own.entry(path, interface)
    }

    /// - Returns: Whether the message was for one of the methods.
    func receive(_ message: OpaquePointer) -> Bool {
        guard let path = sd_bus_message_get_path(message).map({ tree.canonical(String(cString: $0)) }),
            let interface = sd_bus_message_get_interface(message).map({ String(cString: $0) }),
            let member = sd_bus_message_get_member(message).map({ String(cString: $0) }),
            let method = entry(path, interface)?.interface.methods[member]
        else { return false }
        let reference = MessageReference(message, loop: connection.loop)
        let caller = noteCaller(of: message)
        do throws(DBusError) {
            let arguments = try MessageReader.arguments(of: message, limits: .untrusted)
            method.handler(
                DBusMethodCall(
                    arguments: arguments, client: caller, path: path, interface: interface, member: member,
                    expectsReply: sd_bus_message_get_expect_reply(message) > 0, connection: connection,
                    message: reference))
        } catch {
            connection.assumeIsolated { $0.reply(to: reference, .failure(error)) }
        }
        return true
    }

    /// Handles writes of properties that are answered when they are carried out; sd-bus itself answers a write at once.
    ///
    /// - Returns: Whether the message is such a write.
    fileprivate func carryOutWrite(_ message: OpaquePointer) -> Bool {
        guard sd_bus_message_is_method_call(message, "org.freedesktop.DBus.Properties", "Set") > 0,
            sd_bus_message_has_signature(message, "ssv") > 0,
            let path = sd_bus_message_get_path(message).map({ tree.canonical(String(cString: $0)) })
        else { return false }
        defer { sd_bus_message_rewind(message, 1) }
        var interface: UnsafePointer<CChar>?
        var name: UnsafePointer<CChar>?
        let text = CChar(UInt8(ascii: "s"))
        guard sd_bus_message_read_basic(message, text, &interface) > 0,
            sd_bus_message_read_basic(message, text, &name) > 0,
            let interface = interface.map({ String(cString: $0) }), let name = name.map({ String(cString: $0) }),
            let property = tree.entry(path, interface)?.interface.properties[name], let body = property.carryOut,
            // A value of another type is refused by sd-bus.
            case .variant(let value)? = try? MessageReader.nextValue(of: message, limits: .untrusted),
            value.signature == property.signature
        else { return false }
        let call = DBusMethodCall(
            arguments: [value], client: noteCaller(of: message), path: path, interface: interface, member: name,
            expectsReply: sd_bus_message_get_expect_reply(message) > 0, connection: connection,
            message: MessageReference(message, loop: connection.loop))
        call.answer { call in
            _ = try await body(call)
            return []
        }
        return true
    }

    func write(
        _ message: OpaquePointer, path: String, interface: String, property: String
    ) throws(DBusError) {
        guard let write = entry(tree.canonical(path), interface)?.interface.properties[property]?.write else {
            throw DBusError(name: DBusError.Name.propertyReadOnly, message: "\(property) cannot be written")
        }
        let value = try MessageReader.nextValue(of: message, limits: .untrusted)
        do { try write(value, noteCaller(of: message)) } catch { throw DBusError(error) }
    }

    private func noteCaller(of message: OpaquePointer) -> DBusClient {
        let isBus = connection.assumeIsolated { $0.kind == .bus }
        let name = isBus ? sd_bus_message_get_sender(message).map { String(cString: $0) } : nil
        let client = client(named: name)
        guard callers[name] == nil else { return client }
        callers[name] = 0
        if let name {
            let onGone = onGone
            callers[name] = connection.assumeIsolated { try? $0.watchName(name) { onGone(client) } } ?? 0
        }
        return client
    }

    /// Forgets a client of a bus that left it.
    func forget(_ client: DBusClient) { callers[client.busName] = nil }

    private func client(named name: String?) -> DBusClient {
        DBusClient(connection: number, busName: name, processID: processID)
    }
}

// MARK: Questions of sd-bus, on the loop, with the attachment as context

private func admit(
    _ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    guard let message, let context else { return 0 }
    return Unmanaged<Attachment>.fromOpaque(context).takeUnretainedValue().refuse(message) ? 1 : 0
}

private func takeWrite(
    _ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    guard let message, let context else { return 0 }
    return Unmanaged<Attachment>.fromOpaque(context).takeUnretainedValue().carryOutWrite(message) ? 1 : 0
}

private func find(
    _: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ interface: UnsafePointer<CChar>?,
    _ context: UnsafeMutableRawPointer?, _ found: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    guard let path, let interface, let context else { return 0 }
    let attachment = Unmanaged<Attachment>.fromOpaque(context).takeUnretainedValue()
    guard attachment.entry(path, interface) != nil else { return 0 }
    found?.pointee = context
    return 1
}

private func enumerate(
    _ bus: OpaquePointer?, _ prefix: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?,
    _ nodes: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?,
    _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    guard let prefix, let context, let nodes else { return 0 }
    let attachment = Unmanaged<Attachment>.fromOpaque(context).takeUnretainedValue()
    // The object manager wants all of a subtree, introspection one level.
    let message = sd_bus_get_current_message(bus)
    let isIntrospection = message.map { sd_bus_message_is_method_call($0, nil, "Introspect") > 0 } ?? false
    let path = String(cString: prefix)
    let paths =
        isIntrospection
        ? Array(attachment.tree.children(of: path).union(attachment.own.children(of: path)))
        : attachment.tree.descendants(of: path) + attachment.own.descendants(of: path)
    // sd-bus frees the list and each string.
    guard let list = calloc(paths.count + 1, MemoryLayout<UnsafeMutablePointer<CChar>?>.stride) else { return -ENOMEM }
    let strings = list.assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self)
    for (index, path) in paths.enumerated() { strings[index] = strdup(path) }
    nodes.pointee = strings
    return 0
}
