import CProcess
import Confinement
import Glibc

/// Confines itself as its arguments say, then becomes the program they name. Started by the daemon for each extension.
///
/// Swift with nothing but glibc: it is ready in about two milliseconds, and shares the policy with the daemon as a value.
@main struct ConfineProgram {
    /// Where it says what came of it; closed by executing the program.
    private static let messages: Int32 = 4
    /// How often a busy program is tried again, a hundredth of a second apart.
    private static let patience = 100

    static func main() {
        _ = fcntl(messages, F_SETFD, FD_CLOEXEC)
        do {
            let (policy, command) = try ConfinementPolicy.parse(Array(CommandLine.arguments.dropFirst()))
            let report = try Confinement.apply(policy)
            say(.confined(report))
            var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
            execv(command[0], &arguments)
            // A program that was just installed may be open for writing for a moment, in whoever copied it or in what that
            // one was starting.
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
        // Started by hand there is nobody on that descriptor.
        if write(messages, line, line.utf8.count) < 0 { _ = write(STDERR_FILENO, line, line.utf8.count) }
    }
}
