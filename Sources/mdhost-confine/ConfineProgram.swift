import CProcess
import Confinement
import Glibc

/// Confines itself according to its arguments, then becomes the program they name. Started by the daemon for each
/// extension.
///
/// Uses only Swift and glibc: it is ready in about two milliseconds, and shares the policy with the daemon as a value.
@main struct ConfineProgram {
    /// The descriptor for its result; executing the program closes it.
    private static let messages: Int32 = 4
    /// The number of attempts to execute a busy program, a hundredth of a second apart.
    private static let patience = 100

    static func main() {
        _ = fcntl(messages, F_SETFD, FD_CLOEXEC)
        do {
            let (policy, command) = try ConfinementPolicy.parse(Array(CommandLine.arguments.dropFirst()))
            let report = try Confinement.apply(policy)
            say(.confined(report))
            var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
            execv(command[0], &arguments)
            // A program that was just installed may be open for writing for a moment, in the process that copied it or
            // in a child of that process.
            for _ in 0..<Self.patience where errno == ETXTBSY {
                usleep(10_000)
                execv(command[0], &arguments)
            }
            say(.failed(String(cString: strerror(errno))))
        } catch let error as Confinement.Failure {
            say(.failed("it cannot be confined, \(error.reason)"))
        } catch {
            say(.failed("its launcher was called wrongly (\(error))"))
        }
        exit(127)
    }

    private static func say(_ message: LauncherMessage) {
        let line = message.line
        // A process started by hand has no reader on that descriptor.
        if write(messages, line, line.utf8.count) < 0 { _ = write(STDERR_FILENO, line, line.utf8.count) }
    }
}
