import CProcess
import Foundation
import HostInterface

/// Starts a program that serves others in a session of its own, and waits until it serves.
///
/// The program inherits the write end of a pipe, and closes it when it serves; its end closes it, too.
package struct ProgramLauncher: Sendable {
    /// The number of the pipe's descriptor in the program.
    package static let readyDescriptor: Int32 = 3

    /// The name for people, such as “daemon”.
    let title: String
    /// The absolute path.
    let program: String
    /// The path of its log, which gets what it prints.
    let log: String
    /// The time limit for the program to serve, in milliseconds.
    var limit: Int32 = 10_000

    /// - Throws: ``HostError`` `host-unavailable` with the path of the log.
    func launch(_ words: [String]) throws(HostError) {
        let output = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw HostError(.hostUnavailable, "The log \(log) cannot be opened.") }
        defer { close(output) }
        var ends: [Int32] = [0, 0]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw HostError(.hostUnavailable, "No more descriptors.") }
        defer { close(ends[0]) }
        do throws(DetachedProgram.Failure) {
            defer { close(ends[1]) }
            _ = try DetachedProgram.start(
                program, words, descriptors: [1: output, 2: output, Self.readyDescriptor: ends[1]], folder: "/")
        } catch {
            throw HostError(.hostUnavailable, "\(program) cannot be started: \(error.reason).")
        }
        var wait = pollfd(fd: ends[0], events: Int16(POLLIN | POLLHUP), revents: 0)
        var result = poll(&wait, 1, limit)
        while result < 0, errno == EINTR { result = poll(&wait, 1, limit) }
        guard result > 0 else {
            throw HostError(.hostUnavailable, "The \(title) did not start in time; its log is \(log).")
        }
    }

    /// Returns a program of this project: the one in an environment variable, this program itself, one that is installed
    /// with it, or one in `$PATH`.
    static func find(_ name: String, variable: String) -> String? {
        let environment = ProcessInfo.processInfo.environment
        if let program = environment[variable], access(program, X_OK) == 0 { return program }
        let own = InstalledPrograms.own
        if let own, own.hasSuffix("/" + name) { return own }
        if let program = InstalledPrograms.find(name, executable: own) { return program }
        return (environment["PATH"] ?? "/usr/local/bin:/usr/bin").split(separator: ":").map { "\($0)/\(name)" }
            .first { access($0, X_OK) == 0 }
    }
}
