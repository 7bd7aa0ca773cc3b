import Glibc

/// A listening Unix stream socket and the file it is reached by.
struct ListeningSocket: Sendable {
    let descriptor: Int32
    private let path: String?
    /// Device and inode of the file, so that never another one's is removed.
    private let identity: FileIdentity?

    private struct FileIdentity: Sendable, Equatable {
        let device: UInt
        let inode: UInt

        init?(path: String) {
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            device = UInt(status.st_dev)
            inode = UInt(status.st_ino)
        }
    }

    private static let flags =
        Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)

    init(path: String) throws(DBusError) {
        guard let address = SocketAddress(path: path) else {
            throw .invalidArguments("\(path) is too long for a socket")
        }
        let lock = try Self.lockDirectory(of: path)
        defer { _ = Glibc.close(lock) }
        try Self.removeStale(path, address)
        let descriptor = Glibc.socket(AF_UNIX, Self.flags, 0)
        guard descriptor >= 0 else { throw DBusError(code: errno, "make a socket") }
        // The file gets the socket's own mode, less the umask: it is never open to others, not even for a moment.
        guard fchmod(descriptor, 0o600) == 0, address.with({ bind(descriptor, $0, $1) }) == 0,
            chmod(path, 0o600) == 0, listen(descriptor, SOMAXCONN) == 0
        else {
            let error = DBusError(code: errno, "listen at \(path)")
            _ = Glibc.close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.path = path
        identity = FileIdentity(path: path)
    }

    init(listeningFileDescriptor: Int32) throws(DBusError) {
        var isListening: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(listeningFileDescriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0,
            isListening != 0,
            fcntl(listeningFileDescriptor, F_SETFL, fcntl(listeningFileDescriptor, F_GETFL) | O_NONBLOCK) == 0,
            fcntl(listeningFileDescriptor, F_SETFD, FD_CLOEXEC) == 0
        else {
            _ = Glibc.close(listeningFileDescriptor)
            throw .invalidArguments("descriptor \(listeningFileDescriptor) does not listen")
        }
        descriptor = listeningFileDescriptor
        path = nil
        identity = nil
    }

    /// - Returns: A descriptor, or −1 with `errno`.
    func accept() -> Int32 {
        let accepted = Glibc.accept(descriptor, nil, nil)
        if accepted >= 0 { _ = fcntl(accepted, F_SETFD, FD_CLOEXEC) }
        return accepted
    }

    func removePath() {
        if let path, identity != nil, FileIdentity(path: path) == identity { unlink(path) }
    }

    func close() { _ = Glibc.close(descriptor) }

    // MARK: Taking over from a process that died

    /// Locks the folder, so that no other process starts to listen between the check and our own listening.
    private static func lockDirectory(of path: String) throws(DBusError) -> Int32 {
        let cut = path.lastIndex(of: "/")
        let directory = cut.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DBusError(code: errno, "open \(directory)") }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                let error = DBusError(code: errno, "lock \(directory)")
                _ = Glibc.close(descriptor)
                throw error
            }
        }
        return descriptor
    }

    private static func removeStale(_ path: String, _ address: SocketAddress) throws(DBusError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        let inUse = DBusError(name: DBusError.Name.addressInUse, message: "somebody listens at \(path)")
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw DBusError(name: DBusError.Name.addressInUse, message: "\(path) is no socket")
        }
        // A datagram socket finds out without bothering a listener: the type is wrong for it, the refusal comes only
        // where no socket is behind the file (connect(2), unix(7)).
        let probe = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard probe >= 0 else { throw DBusError(code: errno, "make a socket") }
        defer { _ = Glibc.close(probe) }
        guard address.with({ connect(probe, $0, $1) }) != 0, errno == ECONNREFUSED else { throw inUse }
        guard unlink(path) == 0 || errno == ENOENT else { throw DBusError(code: errno, "remove \(path)") }
    }
}

/// A path as `sockaddr_un`.
private struct SocketAddress {
    private let storage: sockaddr_un

    init?(path: String) {
        var storage = sockaddr_un()
        storage.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let fits = withUnsafeMutableBytes(of: &storage.sun_path) { target in
            guard !bytes.isEmpty, !bytes.contains(0), bytes.count < target.count else { return false }
            target.copyBytes(from: bytes)
            return true
        }
        guard fits else { return nil }
        self.storage = storage
    }

    func with(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
