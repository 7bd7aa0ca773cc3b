import CSystemd
import Threads

/// A method call whose reply has not come.
final class PendingCall {
    let identifier: UInt64
    unowned let connection: DBusConnection
    private let completion: (Result<[DBusValue], DBusError>) -> Void
    var slot: OpaquePointer?

    init(
        identifier: UInt64, connection: DBusConnection,
        completion: @escaping (Result<[DBusValue], DBusError>) -> Void
    ) {
        self.identifier = identifier
        self.connection = connection
        self.completion = completion
    }

    /// Once, after it left the connection's table.
    func finish(_ result: Result<[DBusValue], DBusError>) {
        slot = sd_bus_slot_unref(slot)
        completion(result)
    }

    /// The outcome a reply message stands for.
    static func result(of message: OpaquePointer, limits: MessageReader.Limits) -> Result<[DBusValue], DBusError> {
        guard let error = sd_bus_message_get_error(message) else {
            do throws(DBusError) { return .success(try MessageReader.arguments(of: message, limits: limits)) } catch {
                return .failure(error)
            }
        }
        // While it ends a connection, sd-bus answers for the peer that is gone.
        guard sd_bus_is_open(sd_bus_message_get_bus(message)) > 0 else { return .failure(.disconnected()) }
        return .failure(
            DBusError(
                name: error.pointee.name.map { String(cString: $0) } ?? DBusError.Name.failed,
                message: error.pointee.message.map { String(cString: $0) } ?? ""))
    }
}

private func receiveReply(
    _ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    guard let message, let context else { return 0 }
    let call = Unmanaged<PendingCall>.fromOpaque(context).takeUnretainedValue()
    let identifier = call.identifier
    let result = PendingCall.result(of: message, limits: call.connection.assumeIsolated { $0.limits })
    call.connection.assumeIsolated { $0.finishCall(identifier, result) }
    return 1
}

extension DBusConnection {
    /// Calls a method and waits for its reply.
    ///
    /// - Parameters:
    ///   - destination: Bus name; not needed peer to peer.
    ///   - timeout: After which the call fails with ``DBusError/Name/noReply``.
    /// - Returns: The reply's arguments; descriptors in them belong to the caller.
    /// - Throws: The error reply; ``DBusError/Name/disconnected`` if the connection ends first; `Name.failed`
    ///   (“cancelled”) if the task is cancelled.
    package func call(
        _ destination: String?, path: String, interface: String, member: String, _ arguments: [DBusValue] = [],
        timeout: Duration = .seconds(25)
    ) async throws(DBusError) -> [DBusValue] {
        if Task.isCancelled { throw .cancelled }
        let identifier = makeIdentifier()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation {
                (continuation: CheckedContinuation<Result<[DBusValue], DBusError>, Never>) in
                do throws(DBusError) {
                    try startCall(
                        identifier, destination, path: path, interface: interface, member: member, arguments,
                        timeout: timeout
                    ) { continuation.resumeDirectly(returning: $0) }
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        } onCancel: {
            // Never inline: the call is in the table only when the job that made it has ended.
            loop.async { self.assumeIsolated { $0.finishCall(identifier, .failure(.cancelled)) } }
        }
        return try result.get()
    }

    /// As ``call(_:path:interface:member:_:timeout:)``, but directly on the caller's executor, for a caller that
    /// doesn't give up before the reply or the time limit.
    package nonisolated(nonsending) func request(
        _ destination: String?, path: String, interface: String, member: String, _ arguments: [DBusValue] = [],
        timeout: Duration
    ) async throws(DBusError) -> [DBusValue] {
        let result: Result<[DBusValue], DBusError> = await withCheckedContinuation { continuation in
            loop.perform {
                self.assumeIsolated { connection in
                    do throws(DBusError) {
                        try connection.startCall(
                            connection.makeIdentifier(), destination, path: path, interface: interface, member: member,
                            arguments, timeout: timeout
                        ) { continuation.resumeDirectly(returning: $0) }
                    } catch {
                        continuation.resume(returning: .failure(error))
                    }
                }
            }
        }
        return try result.get()
    }

    /// Sends a method call that wants no reply. Calls go out in the order of the sends.
    package func send(
        _ destination: String?, path: String, interface: String, member: String, _ arguments: [DBusValue] = []
    ) throws(DBusError) {
        let driver = try startedDriver()
        try withMethodCall(driver, destination, path, interface, member, arguments) { message throws(DBusError) in
            sd_bus_message_set_expect_reply(message, 0)
            try check(sd_bus_send(driver.bus, message, nil), "send \(interface).\(member)")
        }
        driver.settle()
    }

    /// Emits a signal, except to a client that has to speak first and hasn't.
    ///
    /// - Parameter destination: The recipient on a bus; `nil`: all subscribers.
    package func emitSignal(
        path: String, interface: String, member: String, _ arguments: [DBusValue] = [], to destination: String? = nil
    ) throws(DBusError) {
        let driver = try startedDriver()
        guard takesSignals else { return }
        let name = "\(interface).\(member)"
        try withMessage(
            { sd_bus_message_new_signal(driver.bus, $0, path, interface, member) }, "emit \(name) at \(path)"
        ) {
            message throws(DBusError) in
            if let destination, let address = address(destination) {
                try check(sd_bus_message_set_destination(message, address), "emit \(name) to \(destination)")
            }
            try MessageWriter(message: message).append(arguments)
            try check(sd_bus_send(driver.bus, message, nil), "emit \(name)")
        }
        driver.settle()
    }

    /// Registers and sends; `completion` runs on the loop, exactly once unless this throws.
    func startCall(
        _ identifier: UInt64, _ destination: String?, path: String, interface: String, member: String,
        _ arguments: [DBusValue], timeout: Duration,
        completion: @escaping (Result<[DBusValue], DBusError>) -> Void
    ) throws(DBusError) {
        let driver = try startedDriver()
        let call = PendingCall(identifier: identifier, connection: self, completion: completion)
        try withMethodCall(driver, destination, path, interface, member, arguments) { message throws(DBusError) in
            pendingCalls[identifier] = call
            let status = sd_bus_call_async(
                driver.bus, &call.slot, message, receiveReply, Unmanaged.passUnretained(call).toOpaque(),
                timeout.microseconds)
            guard status < 0 else { return }
            pendingCalls[identifier] = nil
            throw DBusError(code: -status, "call \(interface).\(member)")
        }
        driver.settle()
    }

    func finishCall(_ identifier: UInt64, _ result: Result<[DBusValue], DBusError>) {
        pendingCalls.removeValue(forKey: identifier)?.finish(result)
    }

    private func withMethodCall(
        _ driver: BusDriver, _ destination: String?, _ path: String, _ interface: String, _ member: String,
        _ arguments: [DBusValue], _ body: (OpaquePointer) throws(DBusError) -> Void
    ) throws(DBusError) {
        try withMessage(
            { sd_bus_message_new_method_call(driver.bus, $0, address(destination), path, interface, member) },
            "call \(interface).\(member) at \(path)"
        ) { message throws(DBusError) in
            try MessageWriter(message: message).append(arguments)
            try body(message)
        }
    }
}

extension Duration {
    /// For sd-bus: at least 1, because 0 means its default; its “infinity” for a value that doesn't fit.
    fileprivate var microseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 1 }
        let (product, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000)
        return overflow ? .max : max(1, product + UInt64(attoseconds / 1_000_000_000_000))
    }
}
