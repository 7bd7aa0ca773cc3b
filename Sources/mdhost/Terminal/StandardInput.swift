import Foundation
import HostInterface

/// Standard input as a pipe from another program.
enum StandardInput {
    /// Takes over the pipe and replaces it by the terminal, so that keys and questions work as without a pipe.
    ///
    /// - Returns: A descriptor that the caller closes.
    /// - Throws: ``HostError`` `invalid-argument` if standard input is the terminal or closed.
    static func take() throws(HostError) -> Int32 {
        guard isatty(STDIN_FILENO) == 0 else {
            throw HostError(
                .invalidArgument,
                "There is no stream: pipe another program's output into this one, or play a file with mdhost play.")
        }
        let stream = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
        guard stream >= 0 else { throw HostError(.invalidArgument, "Standard input is closed.") }
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        let instead = terminal >= 0 ? terminal : open("/dev/null", O_RDONLY | O_CLOEXEC)
        if instead >= 0 {
            dup2(instead, STDIN_FILENO)
            close(instead)
        }
        return stream
    }
}
