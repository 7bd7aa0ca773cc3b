package import DBus
import Foundation
import Glibc
package import HostInterface

/// A connection to the daemon over its own socket.
package final class HostClient: Sendable {
    package let connection: DBusConnection

    private init(connection: DBusConnection) { self.connection = connection }

    /// Connects to the daemon, and starts it if none runs.
    ///
    /// - Parameters:
    ///   - socket: The path of the socket; `nil` for ``HostFolders/socket``, the one of a daemon started here.
    ///   - launching: `true` if a daemon may be started.
    /// - Throws: ``HostError`` `host-unavailable`, also if the daemon belongs to another user.
    package static func connect(
        to socket: String? = nil, launching: Bool = true
    ) async throws(HostError) -> HostClient {
        let socket = if let socket { socket } else { try HostFolders.socket }
        if let client = try await attempt(socket) { return client }
        guard launching else { throw HostError(.hostUnavailable, "The mdhost daemon does not run.") }
        // A daemon that was just leaving makes the first launch find its lock: one more try settles that.
        for _ in 0..<2 {
            try HostLauncher.launch()
            if let client = try await attempt(socket) { return client }
        }
        if let obstacle = StateLock.obstacle(try HostFolders.state()) { throw obstacle }
        throw HostError(.hostUnavailable, "The daemon does not answer on \(socket); its log is \(try HostFolders.log).")
    }

    /// Connects to a running daemon.
    ///
    /// - Returns: `nil` if none answers.
    private static func attempt(_ path: String) async throws(HostError) -> HostClient? {
        guard let descriptor = try connectedSocket(path) else { return nil }
        return try await adopt(descriptor, path)
    }

    /// Uses a socket that is connected to the daemon, such as one that another process connected.
    ///
    /// - Parameters:
    ///   - descriptor: It is taken over.
    ///   - path: The path of the daemon's socket, for errors.
    /// - Returns: `nil` if nobody answers.
    /// - Throws: ``HostError`` `host-unavailable` if the daemon belongs to another user.
    package static func adopt(_ descriptor: Int32, _ path: String) async throws(HostError) -> HostClient? {
        let connection = DBusConnection(loop: DBusLoop(label: "org.mdhost.client"))
        do {
            try await connection.openPeer(fileDescriptor: descriptor, role: .client)
        } catch {
            await connection.close()
            return nil
        }
        // In /tmp anyone could listen in the daemon's name; and the daemon itself hangs up on other users.
        if let peer = await connection.peerCredentials, peer.userID != getuid() {
            await connection.close()
            throw foreignDaemon(path, "user \(peer.userID)")
        }
        do {
            let client = HostClient(connection: connection)
            _ = try await client.call(
                HostNames.rootPath, interface: "org.freedesktop.DBus.Peer", "Ping", timeout: .seconds(5))
            return client
        } catch {
            await connection.close()
            return nil
        }
    }

    /// Returns a socket that is connected to the daemon, for another process to adopt. The daemon is started if it doesn't
    /// run.
    ///
    /// - Throws: ``HostError`` `host-unavailable`.
    package static func connectedDescriptor() throws(HostError) -> Int32 {
        let socket = try HostFolders.socket
        if let descriptor = try connectedSocket(socket) { return descriptor }
        for _ in 0..<2 {
            try HostLauncher.launch()
            if let descriptor = try connectedSocket(socket) { return descriptor }
        }
        throw HostError(.hostUnavailable, "The daemon does not answer on \(socket); its log is \(try HostFolders.log).")
    }

    private static func foreignDaemon(_ path: String, _ owner: String) -> HostError {
        HostError(
            .hostUnavailable,
            "The daemon at \(path) belongs to \(owner), and this is user \(getuid()): a daemon serves its own user only."
        )
    }

    /// Connects to a socket.
    ///
    /// - Returns: `nil` if no process listens.
    private static func connectedSocket(_ path: String) throws(HostError) -> Int32? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            let code = errno
            Glibc.close(descriptor)
            if code == EACCES { throw foreignDaemon(path, "another user") }
            return nil
        }
        return descriptor
    }

    /// Returns the daemon's objects: first all of them, then ``HostEvent/ready``, then each change. The stream finishes
    /// with the connection.
    package func events() async throws(HostError) -> AsyncStream<HostEvent> {
        do {
            let signals = try await connection.signals(pathNamespace: HostNames.rootPath)
            let objects = try await connection.call(
                nil, path: HostNames.rootPath, interface: "org.freedesktop.DBus.ObjectManager",
                member: "GetManagedObjects")
            // An object manager does not list itself.
            let manager = try await connection.call(
                nil, path: HostNames.rootPath, interface: "org.freedesktop.DBus.Properties", member: "GetAll",
                [.string(HostNames.managerInterface)])
            // Unbounded: the daemon drops a client that does not read long before this grows large.
            let (stream, continuation) = AsyncStream.makeStream(of: HostEvent.self)
            let task = Task {
                var mirror = ObjectMirror()
                for event in mirror.load(objects) + mirror.load(manager: manager) { continuation.yield(event) }
                continuation.yield(.ready)
                for await signal in signals {
                    for event in mirror.apply(signal) { continuation.yield(event) }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
            return stream
        } catch {
            throw HostError(error)
        }
    }

    /// Calls a method of the daemon. Error replies become ``HostError``.
    @discardableResult
    package func call(
        _ path: String, interface: String, _ member: String, _ arguments: [DBusValue] = [],
        timeout: Duration = .seconds(25)
    ) async throws(HostError) -> [DBusValue] {
        do {
            return try await connection.call(
                nil, path: path, interface: interface, member: member, arguments, timeout: timeout)
        } catch {
            throw Self.hostError(error, of: path)
        }
    }

    /// Converts an error. An object can disappear between its listing and the call.
    static func hostError(_ error: DBusError, of path: String) -> HostError {
        guard error.name == DBusError.Name.unknownObject else { return HostError(error) }
        if path.hasPrefix(HostNames.sessionsPath + "/") || path.hasPrefix(HostNames.mediaPath + "/") {
            return HostError(.noSuchSession, "The session has ended.")
        }
        return path.hasPrefix(HostNames.extensionsPath + "/")
            ? HostError(.noSuchExtension, "That extension is no longer installed.")
            : HostError(.noSuchDevice, "That device is not there any more.")
    }

    package func close() async { await connection.close() }
}
