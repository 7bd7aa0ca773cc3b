import CProcess
import Foundation
import HostInterface

/// The launcher of the daemon. It starts the daemon in its own session, and waits until it listens.
package enum HostLauncher {
    /// The time limit for a daemon to listen, in milliseconds.
    private static let limit: Int32 = 10_000

    /// Starts `mdhost daemon` unless one runs.
    ///
    /// The daemon inherits the write end of a pipe, and closes it when it listens. A second daemon that starts at the
    /// same time finds the first one's lock and exits, which closes the pipe too.
    ///
    /// - Throws: ``HostError`` `host-unavailable` with the path of the log.
    package static func launch() throws(HostError) {
        let program = try program()
        try HostFolders.prepare(HostFolders.state())
        let logFile = try HostFolders.log
        let log = open(logFile, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard log >= 0 else { throw HostError(.hostUnavailable, "The log \(logFile) cannot be opened.") }
        defer { close(log) }
        var ends: [Int32] = [0, 0]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw HostError(.hostUnavailable, "No more descriptors.") }
        defer { close(ends[0]) }
        do {
            defer { close(ends[1]) }
            try spawn(program, log: log, ready: ends[1])
        }
        var wait = pollfd(fd: ends[0], events: Int16(POLLIN | POLLHUP), revents: 0)
        var result = poll(&wait, 1, limit)
        while result < 0, errno == EINTR { result = poll(&wait, 1, limit) }
        guard result > 0 else {
            throw HostError(.hostUnavailable, "The daemon did not start in time; its log is \(logFile).")
        }
    }

    private static func spawn(_ program: String, log: Int32, ready: Int32) throws(HostError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, log, 1)
        posix_spawn_file_actions_adddup2(&actions, log, 2)
        posix_spawn_file_actions_adddup2(&actions, ready, 3)
        posix_spawn_file_actions_addclosefrom_np(&actions, 4)
        posix_spawn_file_actions_addchdir_np(&actions, "/")
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Dispatch's threads block signals and commands ignore some; the daemon must inherit neither.
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, process_spawn_new_session | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
        let words = [program, "daemon", "--on-demand", "--ready-descriptor", "3"]
        let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child = pid_t()
        let result = posix_spawn(&child, program, &actions, &attributes, arguments, environ)
        guard result == 0 else {
            throw HostError(.hostUnavailable, "\(program) cannot be started: \(String(cString: strerror(result))).")
        }
    }

    /// Returns the `mdhost` program: `$MDHOST_PROGRAM`, this program itself, one next to it, or one in `$PATH`.
    private static func program() throws(HostError) -> String {
        let environment = ProcessInfo.processInfo.environment
        let files = FileManager.default
        if let program = environment["MDHOST_PROGRAM"], files.isExecutableFile(atPath: program) { return program }
        if let own = try? files.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
            if own.hasSuffix("/mdhost") { return own }
            let beside = (own as NSString).deletingLastPathComponent + "/mdhost"
            if files.isExecutableFile(atPath: beside) { return beside }
        }
        for folder in (environment["PATH"] ?? "/usr/local/bin:/usr/bin").split(separator: ":") {
            let candidate = "\(folder)/mdhost"
            if files.isExecutableFile(atPath: candidate) { return candidate }
        }
        throw HostError(.hostUnavailable, "The program mdhost is not in PATH; install it or set MDHOST_PROGRAM.")
    }
}
