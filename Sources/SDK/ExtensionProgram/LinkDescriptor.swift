import Foundation

/// The descriptor of the link that the extension inherits from the host.
enum LinkDescriptor {
    /// The name of the environment variable with the descriptor's number, which the host sets to 3.
    static let variable = "MDHOST_EXTENSION_LINK"

    /// Removes the descriptor from the environment and returns it, so that no child process inherits or uses it.
    ///
    /// - Returns: A connected socket that is closed on `exec`; `nil` if the host didn't start this process.
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
