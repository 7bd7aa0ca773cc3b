import Foundation

/// The listening socket a service manager passed to this process.
///
/// Source: sd_listen_fds(3).
enum SocketActivation {
    private static let firstDescriptor: Int32 = 3

    /// The descriptor, or `nil` where none was passed to this process. The variables are removed, so that children do not
    /// take it for theirs.
    static func takeDescriptor() -> Int32? {
        let environment = ProcessInfo.processInfo.environment
        guard environment["LISTEN_PID"] == String(getpid()), let count = environment["LISTEN_FDS"].flatMap(Int.init),
            count >= 1
        else { return nil }
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
        _ = fcntl(firstDescriptor, F_SETFD, FD_CLOEXEC)
        return firstDescriptor
    }
}
