import Foundation

/// The descriptor of the link that the host left open for the extension.
enum LinkDescriptor {
    /// Names the descriptor's number; the host sets it to 3.
    static let variable = "MDHOST_EXTENSION_LINK"

    /// Takes the descriptor out of the environment, so that no child process inherits it or believes it has one.
    ///
    /// - Returns: A connected socket, closed on `exec`; `nil` when the host did not start this process.
    static func take() -> Int32? {
        guard let text = getenv(variable).map({ String(cString: $0) }), let descriptor = Int32(text), descriptor > 2
        else { return nil }
        unsetenv(variable)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) != -1 else { return nil }
        return descriptor
    }
}
