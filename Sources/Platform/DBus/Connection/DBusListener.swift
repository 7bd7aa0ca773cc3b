import ConnectionLimits
import Descriptors
import Glibc

/// A Unix socket whose connections become ``DBusConnection``s in the server role.
///
/// The socket file is for this user only (0600 from its first moment, whatever the umask), and each peer's user is
/// checked once more when it connects.
package actor DBusListener {
    /// The reason a connection was refused.
    package enum Refusal: Sendable, Hashable {
        /// The peer runs as another user than this process.
        case foreignUser(DBusCredentials)
        /// The peer's user couldn't be determined.
        case unknownUser
        /// The process has no descriptor to spare; the connection is closed.
        case exhausted
        /// The process has as many connections as one may have, or there are as many in all; the connection is closed.
        case tooMany(DBusCredentials)
        /// `accept` failed with this `errno`, for example without free descriptors; it is retried.
        case acceptFailed(Int32)
    }

    /// The limits on simultaneous connections.
    package struct Limits: Sendable, Hashable {
        package var total: Int
        /// The limit for one process.
        package var perProcess: Int

        /// - Parameter total: At most half of the descriptors that this process may have are used: extensions and devices
        ///   need some, too.
        package init(total: Int = 4_096, perProcess: Int = 128) {
            self.total = min(total, DescriptorReserve.softLimit / 2)
            self.perProcess = perProcess
        }
    }

    package nonisolated let loop: DBusLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Accepted connections, in order; they begin to read when they are used or attached. Ends with ``close()``. One
    /// reader.
    package nonisolated let connections: AsyncStream<DBusConnection>

    private let feed: AsyncStream<DBusConnection>.Continuation
    private let names: Set<String>
    private let onRefused: @Sendable (Refusal) -> Void
    private let socket: ListeningSocket
    private let limit: ConnectionLimit
    private var watch: DescriptorWatch?
    private var isClosed = false

    /// Microseconds.
    private static let retryDelay: UInt64 = 100_000

    /// Listens at `path`; a socket file left by a process that stopped listening is replaced.
    ///
    /// - Parameters:
    ///   - path: At most 107 bytes, in an existing directory.
    ///   - loop: The loop of the accepted connections.
    ///   - names: See ``DBusConnection/openPeer(fileDescriptor:role:names:)``.
    ///   - limits: Connections beyond the limits are closed at once.
    ///   - onRefused: Runs on the loop.
    /// - Throws: ``DBusError/Name/addressInUse`` if another process listens there or the path isn't a socket.
    package init(
        path: String, loop: DBusLoop, names: Set<String> = [], limits: Limits = Limits(),
        onRefused: @escaping @Sendable (Refusal) -> Void = { _ in }
    ) async throws(DBusError) {
        self.init(
            socket: try ListeningSocket(path: path), loop: loop, names: names, limits: limits, onRefused: onRefused)
        start()
    }

    /// Accepts on a socket that listens already, as a service manager passes it. The descriptor is taken over; its
    /// path, if any, stays.
    package init(
        listeningFileDescriptor: Int32, loop: DBusLoop, names: Set<String> = [], limits: Limits = Limits(),
        onRefused: @escaping @Sendable (Refusal) -> Void = { _ in }
    ) async throws(DBusError) {
        let socket = try ListeningSocket(listeningFileDescriptor: listeningFileDescriptor)
        self.init(socket: socket, loop: loop, names: names, limits: limits, onRefused: onRefused)
        start()
    }

    /// More connections than a program needs.
    private static let modest = 8

    private init(
        socket: ListeningSocket, loop: DBusLoop, names: Set<String>, limits: Limits,
        onRefused: @escaping @Sendable (Refusal) -> Void
    ) {
        limit = ConnectionLimit(total: limits.total, perPeer: limits.perProcess, modest: Self.modest)
        self.socket = socket
        self.loop = loop
        self.names = names
        self.onRefused = onRefused
        (connections, feed) = AsyncStream.makeStream(of: DBusConnection.self, bufferingPolicy: .unbounded)
    }

    isolated deinit { close() }

    /// Stops listening and removes the socket file; accepted connections stay.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        socket.removePath()
        watch?.cancel()
        watch = nil
        socket.close()
        feed.finish()
    }

    private func start() {
        watch = loop.watch(socket.descriptor) { [weak self] in self?.assumeIsolated { $0.acceptAll() } }
    }

    private func acceptAll() {
        while !isClosed {
            let descriptor = socket.accept()
            if descriptor >= 0 {
                admit(descriptor)
                continue
            }
            switch errno {
            case EAGAIN: return
            case EINTR, ECONNABORTED: continue
            case let code:
                onRefused(.acceptFailed(code))
                pause()
                return
            }
        }
    }

    /// The waiting connection would wake the loop again and again while there are no descriptors.
    private func pause() {
        watch?.cancel()
        watch = nil
        _ = loop.timer(at: DBusLoop.now + Self.retryDelay) { [weak self] in
            self?.assumeIsolated { listener in
                guard !listener.isClosed else { return }
                listener.start()
                listener.acceptAll()
            }
        }
    }

    private func admit(_ descriptor: Int32) {
        guard DescriptorReserve.hasRoom else {
            _ = Glibc.close(descriptor)
            return onRefused(.exhausted)
        }
        let credentials = DBusCredentials(socket: descriptor)
        guard let credentials, credentials.userID == getuid() else {
            _ = Glibc.close(descriptor)
            return onRefused(credentials.map { .foreignUser($0) } ?? .unknownUser)
        }
        let process = String(credentials.processID)
        guard limit.admit(process) else {
            _ = Glibc.close(descriptor)
            return onRefused(.tooMany(credentials))
        }
        let connection = DBusConnection(loop: loop)
        let isOpen: Void? = try? connection.onLoop { [names, limit] connection throws(DBusError) in
            try connection.openPeer(fileDescriptor: descriptor, role: .server, names: names, clientSpeaksFirst: true)
            connection.onClose { limit.leave(process) }
        }
        guard isOpen != nil else { return limit.leave(process) }
        feed.yield(connection)
    }
}
