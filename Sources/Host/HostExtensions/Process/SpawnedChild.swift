import CProcess
import Foundation

/// A child process with a link at descriptor 3, its output in a pipe and nothing else of ours; leads its own session.
/// Its launcher has a pipe at descriptor 4, which ends when the launcher has become the program.
struct SpawnedChild: Sendable {
    let processID: pid_t
    /// Readable once the process has ended; owned by the holder.
    let processDescriptor: Int32
    /// The host's end of the link; owned by the holder.
    let link: Int32
    /// Read end of standard output and error, non-blocking; owned by the holder.
    let output: Int32
    /// The read end of the launcher's pipe, non-blocking. The holder of this value owns it.
    let messages: Int32

    /// A Boolean value that indicates whether the child has ended and wasn't reaped yet.
    var hasEnded: Bool {
        var info = siginfo_t()
        guard waitid(P_PID, id_t(processID), &info, WEXITED | WNOHANG | WNOWAIT) == 0 else { return false }
        // Untouched where there is no news.
        return info.si_signo == SIGCHLD
    }

    /// The system's error for a program that couldn't be started.
    struct Failure: Error, Sendable, Hashable {
        let reason: String
        init(reason: String) { self.reason = reason }
        init(code: Int32) { reason = String(cString: strerror(code)) }
    }
}

extension SpawnedChild {
    /// Starts a program of this project that works for the daemon.
    ///
    /// - Parameter arguments: The launcher's, with the program.
    static func start(
        _ launcher: String, arguments: [String], environment: [String: String]
    ) async throws(Failure) -> SpawnedChild {
        let channels = try ChildChannels()
        do throws(Failure) {
            return try await SpawningThread.shared.run { () throws(Failure) in
                try channels.spawn(launcher, arguments: arguments, environment: environment, directory: "/")
            }
        } catch {
            for descriptor in [channels.link, channels.output, channels.messages] { close(descriptor) }
            throw error
        }
    }
}

/// The descriptor pairs of a child that is not started yet.
final class ChildChannels: Sendable {
    /// Owned by the taker.
    let link: Int32
    /// Owned by the taker.
    let output: Int32
    /// Owned by the taker.
    let messages: Int32
    private let childLink: Int32
    private let childOutput: Int32
    private let childMessages: Int32

    init() throws(SpawnedChild.Failure) {
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
            throw SpawnedChild.Failure(code: errno)
        }
        var outputs: [Int32] = [-1, -1]
        var messages: [Int32] = [-1, -1]
        guard pipe2(&outputs, O_CLOEXEC) == 0, pipe2(&messages, O_CLOEXEC) == 0 else {
            let code = errno
            (pair + outputs).filter { $0 >= 0 }.forEach { _ = close($0) }
            throw SpawnedChild.Failure(code: code)
        }
        // Only our ends may be non-blocking: the child's end is an ordinary standard output.
        _ = fcntl(outputs[0], F_SETFL, O_NONBLOCK)
        _ = fcntl(messages[0], F_SETFL, O_NONBLOCK)
        link = pair[0]
        childLink = pair[1]
        output = outputs[0]
        childOutput = outputs[1]
        self.messages = messages[0]
        childMessages = messages[1]
    }

    deinit {
        close(childLink)
        close(childOutput)
        close(childMessages)
    }

    /// Starts the program; the channels' far ends are closed here when this value ends.
    ///
    /// - Returns: The process and a descriptor that turns readable at its end.
    func spawn(
        _ path: String, arguments: [String], environment: [String: String], directory: String
    ) throws(SpawnedChild.Failure) -> SpawnedChild {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Kept clear of the numbers they are to have, so that no step below overwrites the source of the next.
        let sources = [childLink, childOutput, childMessages].map { fcntl($0, F_DUPFD_CLOEXEC, 10) }
        defer { sources.forEach { _ = close($0) } }
        guard sources.allSatisfy({ $0 >= 0 }) else { throw SpawnedChild.Failure(code: EMFILE) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, sources[1], 1)
        posix_spawn_file_actions_adddup2(&actions, sources[1], 2)
        posix_spawn_file_actions_adddup2(&actions, sources[0], ExtensionEnvironment.linkDescriptor)
        posix_spawn_file_actions_adddup2(&actions, sources[2], ExtensionEnvironment.linkDescriptor + 1)
        posix_spawn_file_actions_addclosefrom_np(&actions, ExtensionEnvironment.linkDescriptor + 2)
        posix_spawn_file_actions_addchdir_np(&actions, directory)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        var allSignals = sigset_t()
        sigfillset(&allSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setsigdefault(&attributes, &allSignals)
        posix_spawnattr_setflags(
            &attributes, process_spawn_new_session | Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var processID: pid_t = 0
        let code = withCStrings([path] + arguments) { arguments in
            withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
                posix_spawn(&processID, path, &actions, &attributes, arguments, environment)
            }
        }
        guard code == 0 else { throw SpawnedChild.Failure(code: code) }
        let processDescriptor = pidfd_open(processID, 0)
        guard processDescriptor >= 0 else {
            let code = errno
            kill(-processID, SIGKILL)
            waitpid(processID, nil, 0)
            throw SpawnedChild.Failure(code: code)
        }
        return SpawnedChild(
            processID: processID, processDescriptor: processDescriptor, link: self.link, output: output,
            messages: messages)
    }
}

private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    return pointers.withUnsafeMutableBufferPointer { buffer in
        // The array always has its terminator, so there is a base address.
        body(buffer.baseAddress!)
    }
}
