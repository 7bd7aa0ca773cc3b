import CProcess
import Foundation
import HostInterface

/// Starts a program that serves others in a session of its own, and waits until it serves.
///
/// The program inherits the write end of a pipe, and closes it when it serves; its end closes it, too.
package struct ProgramLauncher: Sendable {
    /// The number of the pipe's descriptor in the program.
    package static let readyDescriptor: Int32 = 3
    /// The time limit for a program to serve, in milliseconds.
    private static let limit: Int32 = 10_000

    /// The name for people, such as “daemon”.
    let title: String
    /// The absolute path.
    let program: String
    /// The path of its log, which gets what it prints.
    let log: String

    /// - Throws: ``HostError`` `host-unavailable` with the path of the log.
    func launch(_ words: [String]) throws(HostError) {
        let output = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw HostError(.hostUnavailable, "The log \(log) cannot be opened.") }
        defer { close(output) }
        var ends: [Int32] = [0, 0]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw HostError(.hostUnavailable, "No more descriptors.") }
        defer { close(ends[0]) }
        do {
            defer { close(ends[1]) }
            try spawn(words, output: output, ready: ends[1])
        }
        var wait = pollfd(fd: ends[0], events: Int16(POLLIN | POLLHUP), revents: 0)
        var result = poll(&wait, 1, Self.limit)
        while result < 0, errno == EINTR { result = poll(&wait, 1, Self.limit) }
        guard result > 0 else {
            throw HostError(.hostUnavailable, "The \(title) did not start in time; its log is \(log).")
        }
    }

    private func spawn(_ words: [String], output: Int32, ready: Int32) throws(HostError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, output, 2)
        posix_spawn_file_actions_adddup2(&actions, ready, Self.readyDescriptor)
        posix_spawn_file_actions_addclosefrom_np(&actions, Self.readyDescriptor + 1)
        posix_spawn_file_actions_addchdir_np(&actions, "/")
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Dispatch's threads block signals and commands ignore some; the program must inherit neither.
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, process_spawn_new_session | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
        let arguments: [UnsafeMutablePointer<CChar>?] = ([program] + words).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child = pid_t()
        let result = posix_spawn(&child, program, &actions, &attributes, arguments, environ)
        guard result == 0 else {
            throw HostError(.hostUnavailable, "\(program) cannot be started: \(String(cString: strerror(result))).")
        }
    }

    /// Returns a program of this project: the one in an environment variable, this program itself, one next to it or in the
    /// `lib/mdhost` next to its folder, or one in `$PATH`.
    static func find(_ name: String, variable: String) -> String? {
        let environment = ProcessInfo.processInfo.environment
        let files = FileManager.default
        if let program = environment[variable], files.isExecutableFile(atPath: program) { return program }
        if let own = try? files.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
            if own.hasSuffix("/" + name) { return own }
            let folder = (own as NSString).deletingLastPathComponent
            for candidate in [folder + "/" + name, folder + "/../lib/mdhost/" + name]
            where files.isExecutableFile(atPath: candidate) {
                return candidate
            }
        }
        for folder in (environment["PATH"] ?? "/usr/local/bin:/usr/bin").split(separator: ":") {
            let candidate = "\(folder)/\(name)"
            if files.isExecutableFile(atPath: candidate) { return candidate }
        }
        return nil
    }
}
