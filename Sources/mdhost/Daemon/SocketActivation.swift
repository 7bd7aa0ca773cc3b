import Foundation

/// The listening socket that a service manager passed to this process.
///
/// Source: sd_listen_fds(3).
enum SocketActivation {
    static let firstDescriptor: Int32 = 3

    /// Returns the descriptor, or `nil` if none was passed to this process.
    ///
    /// The variables are removed, so that children don't take it for theirs.
    ///
    /// - Parameter inherited: The descriptor that the previous daemon passed on.
    static func takeDescriptor(inherited: Int32?) -> Int32? {
        if let inherited {
            _ = fcntl(inherited, F_SETFD, FD_CLOEXEC)
            return inherited
        }
        let environment = ProcessInfo.processInfo.environment
        guard environment["LISTEN_PID"] == String(getpid()), let count = environment["LISTEN_FDS"].flatMap(Int.init),
            count >= 1
        else { return nil }
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
        _ = fcntl(firstDescriptor, F_SETFD, FD_CLOEXEC)
        return firstDescriptor
    }
}
