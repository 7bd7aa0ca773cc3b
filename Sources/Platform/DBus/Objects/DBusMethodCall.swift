import Synchronization

/// The caller: one peer-to-peer connection, or one connection of a bus.
package struct DBusClient: Sendable, Hashable {
    /// Number of the attachment, never used again by the same server.
    package let connection: Int
    /// Unique name on a bus; `nil` peer to peer.
    package let busName: String?
    /// Peer to peer, from the socket; `nil` on a bus, where ``DBusObjectServer/processID(of:)`` asks for it.
    package let processID: Int32?

    package init(connection: Int, busName: String?, processID: Int32?) {
        self.connection = connection
        self.busName = busName
        self.processID = processID
    }
}

/// A received call, to be answered exactly once with ``reply(_:)`` or ``fail(_:)`` from any thread.
///
/// If there are several answers, the first counts. A call released without one fails with ``DBusError/Name/failed``.
/// Answers given on the loop keep their order with signals emitted there.
package final class DBusMethodCall: Sendable {
    /// The declared arguments, with checked types. The handler owns the descriptors among them.
    package let arguments: [DBusValue]
    package let client: DBusClient
    package let path: String
    package let interface: String
    package let member: String
    package let expectsReply: Bool

    private struct Target: Sendable {
        let connection: DBusConnection
        let message: MessageReference
    }
    private let target: Mutex<Target?>

    init(
        arguments: [DBusValue], client: DBusClient, path: String, interface: String, member: String,
        expectsReply: Bool, connection: DBusConnection, message: MessageReference
    ) {
        self.arguments = arguments
        self.client = client
        self.path = path
        self.interface = interface
        self.member = member
        self.expectsReply = expectsReply
        target = Mutex(Target(connection: connection, message: message))
    }

    deinit { answer(.failure(DBusError(name: DBusError.Name.failed, message: "the call was not answered"))) }

    /// - Parameter values: Values of the declared types; with other types the call fails.
    package func reply(_ values: [DBusValue] = []) { answer(.success(values)) }

    package func fail(_ error: DBusError) { answer(.failure(error)) }

    /// Runs `body` on the loop, as soon as the loop gets to it.
    func answer(with body: @escaping DBusMethod.Body) {
        target.withLock(\.?.connection)?.assumeIsolated { $0.perform(self, body) }
    }

    private func answer(_ result: Result<[DBusValue], DBusError>) {
        let target = target.withLock { target in
            defer { target = nil }
            return target
        }
        guard let target else { return }
        target.connection.loop.perform {
            target.connection.assumeIsolated { $0.reply(to: target.message, result) }
        }
    }
}

extension DBusConnection {
    fileprivate func perform(_ call: DBusMethodCall, _ body: @escaping DBusMethod.Body) {
        // Naming `self` keeps the task on this connection's loop.
        Task { await self.carryOut(call, body) }
    }

    private func carryOut(_ call: DBusMethodCall, _ body: DBusMethod.Body) async {
        do {
            call.reply(try await body(call))
        } catch {
            call.fail(DBusError(error))
        }
    }
}
