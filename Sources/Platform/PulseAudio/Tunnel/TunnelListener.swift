import CPulseAudio
import Glibc
import SoundFeed

/// A socket that one client of this user connects to, once. Used on the loop only.
final class TunnelListener {
    /// A function that is called with what was read; with `nil` at the end of the connection, or if none could be made.
    var onRead: ([UInt8]?) -> Void = { _ in }
    private let path: String
    private let interface: UnsafeMutablePointer<pa_mainloop_api>
    /// The listening socket until a client is there, then its connection; -1 after the end.
    private var socket: Int32
    private var watch: OpaquePointer?
    private var isConnected = false

    /// - Parameters:
    ///   - path: The path of the socket, in a folder of this user alone.
    ///   - interface: The loop's.
    /// - Throws: ``SoundServerError`` if there can't be such a socket.
    init(_ path: String, _ interface: UnsafeMutablePointer<pa_mainloop_api>) throws(SoundServerError) {
        func failure() -> SoundServerError {
            SoundServerError("\(path) cannot be made: \(String(cString: strerror(errno)))")
        }
        unlink(path)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw SoundServerError("\(path) is too long for a socket")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let listening = Glibc.socket(AF_UNIX, kind, 0)
        guard listening >= 0 else { throw failure() }
        let isListening = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listening, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isListening, chmod(path, 0o600) == 0, listen(listening, 1) == 0 else {
            let error = failure()
            Glibc.close(listening)
            throw error
        }
        socket = listening
        self.path = path
        self.interface = interface
        watchSocket()
    }

    /// Closes the connection. To be called before the listener is given up.
    func close() {
        guard socket >= 0 else { return }
        interface.pointee.io_free(watch)
        Glibc.close(socket)
        socket = -1
        unlink(path)
    }

    /// Sends bytes to the client. One that doesn't read them is cut off.
    func send(_ bytes: [UInt8]) {
        guard isConnected, socket >= 0 else { return }
        // Commands are short, and the system queues hundreds.
        guard Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) == bytes.count else {
            return end()
        }
    }

    private func watchSocket() {
        watch = interface.pointee.io_new(
            interface, socket, PA_IO_EVENT_INPUT,
            { _, _, _, _, listener in
                guard let listener else { return }
                Unmanaged<TunnelListener>.fromOpaque(listener).takeUnretainedValue().ready()
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func ready() {
        if isConnected { read() } else { accept() }
    }

    private func accept() {
        let client = Glibc.accept(socket, nil, nil)
        guard client >= 0 else { return }
        // struct ucred of socket(7): process, user, group.
        var peer: (Int32, UInt32, UInt32) = (0, .max, .max)
        var length = socklen_t(MemoryLayout.size(ofValue: peer))
        guard fcntl(client, F_SETFD, FD_CLOEXEC) == 0,
            getsockopt(client, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0, peer.1 == getuid()
        else {
            Glibc.close(client)
            return
        }
        // No second client.
        interface.pointee.io_free(watch)
        Glibc.close(socket)
        unlink(path)
        socket = client
        isConnected = true
        watchSocket()
    }

    private func read() {
        let size = 1 << 16
        var (count, reason) = (0, Int32(0))
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { [socket] buffer, used in
            count = recv(socket, buffer.baseAddress, size, Int32(MSG_DONTWAIT))
            reason = errno
            used = max(0, count)
        }
        if count > 0 { return onRead(bytes) }
        if count == 0 || reason != EAGAIN && reason != EINTR { end() }
    }

    private func end() {
        close()
        onRead(nil)
    }
}
