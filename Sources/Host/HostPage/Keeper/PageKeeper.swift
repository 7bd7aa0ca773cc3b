import CProcess
import Confinement
import Foundation
import HostClient
import HostConfinement
package import HostInterface

/// The process that starts the page confined, and does for it the three things of ``KeeperRequest`` that it may not do.
///
/// It reads nothing from the network and has no thread of its own but for a request.
package struct PageKeeper {
    /// The numbers of the page's descriptors.
    package enum Descriptor {
        package static let keeper: Int32 = 3
        /// The launcher's messages; closed when it has become the page.
        static let messages: Int32 = 4
        package static let control: Int32 = 5
        package static let ready: Int32 = 6
    }

    private static let memory: UInt64 = 512 << 20

    private let program: String
    private let launcher: String
    private let readyDescriptor: Int32?

    /// - Parameter readyDescriptor: Closed when the page serves.
    /// - Throws: ``HostError`` `host-unavailable` if the launcher isn't installed.
    package init(readyDescriptor: Int32?) throws(HostError) {
        guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
            let launcher = ConfinementLauncher.find(executable: program)
        else {
            throw HostError(
                .hostUnavailable, "\(ConfinementLauncher.name), which confines the page, isn't installed beside it.")
        }
        self.program = program
        self.launcher = launcher
        self.readyDescriptor = readyDescriptor
    }

    /// Serves until the page ends.
    ///
    /// - Returns: Its exit status; 0 at once if another page of this user runs.
    /// - Throws: ``HostError``.
    package func run() throws(HostError) -> Int32 {
        let (runtime, page, artwork) = (
            try HostFolders.runtime(), try HostFolders.page, try HostFolders.cache() + "/artwork"
        )
        for folder in [try HostFolders.state(), runtime, page, try HostFolders.cache(), artwork] {
            try HostFolders.prepare(folder)
        }
        let lock = open(runtime + "/page.lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw HostError(.storageFailed, "The page's lock in \(runtime) cannot be opened.") }
        defer { close(lock) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else { return 0 }
        let socketPath = try HostFolders.pageSocket
        let control = try ControlSocket.listen(at: socketPath)
        let sockets = try KeeperDesk.sockets()
        var policy = ConfinementPolicy(parent: getpid())
        policy.places = ConfinementPolicy.system
        policy.places += (ProgramLibraries.find(of: program) + [program]).map { .init($0, .run) }
        policy.places += [.init(page, .write), .init(artwork, .read)]
        policy.ports = [UInt16(clamping: PageSettings.load(folder: page).port)]
        // Where that port is in use, the system chooses another.
        policy.takesConnections = true
        policy.limits.memory = Self.memory
        let child = try spawn(policy, keeper: sockets.page, control: control)
        close(sockets.page)
        close(control)
        if let readyDescriptor { close(readyDescriptor) }
        let desk = KeeperDesk(page: child)
        desk.serve(sockets.keeper)
        desk.end()
        unlink(socketPath)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 1
    }

    private func spawn(_ policy: ConfinementPolicy, keeper: Int32, control: Int32) throws(HostError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Kept clear of the numbers they are to have, so that no step overwrites the source of the next.
        let ready = readyDescriptor ?? STDERR_FILENO
        let sources = [keeper, STDERR_FILENO, control, ready].map { fcntl($0, F_DUPFD_CLOEXEC, 16) }
        defer { for source in sources { close(source) } }
        guard sources.allSatisfy({ $0 >= 0 }) else { throw HostError(.limitExceeded, "No more descriptors.") }
        posix_spawn_file_actions_adddup2(&actions, sources[0], Descriptor.keeper)
        posix_spawn_file_actions_adddup2(&actions, sources[1], Descriptor.messages)
        posix_spawn_file_actions_adddup2(&actions, sources[2], Descriptor.control)
        posix_spawn_file_actions_adddup2(&actions, sources[3], Descriptor.ready)
        posix_spawn_file_actions_addclosefrom_np(&actions, Descriptor.ready + 1)
        let words = [launcher] + policy.arguments + ["--", program, "--serve"]
        let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child = pid_t()
        let result = posix_spawn(&child, launcher, &actions, nil, arguments, environ)
        guard result == 0 else {
            throw HostError(.hostUnavailable, "\(launcher) cannot be started: \(String(cString: strerror(result))).")
        }
        return child
    }
}

/// The socket for commands.
private enum ControlSocket {
    /// Listens at a path for this user alone. What was left there is replaced: the caller has the lock.
    static func listen(at path: String) throws(HostError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw HostError(.storageFailed, "The path \(path) is too long for a socket.")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw HostError(.limitExceeded, "No more descriptors.") }
        unlink(path)
        let mask = umask(0o177)
        defer { umask(mask) }
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isBound, Glibc.listen(descriptor, 16) == 0 else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw HostError(.storageFailed, "Nothing can listen at \(path): \(reason).")
        }
        return descriptor
    }
}
