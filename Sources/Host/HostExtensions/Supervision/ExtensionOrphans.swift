import CProcess
import Foundation
package import Logging

/// Ends processes left by the extensions of a daemon that was killed: programs that don't watch their link, and their
/// descendants.
///
/// They are identified by their environment, which every descendant inherits, and which names the daemon and the
/// extension's folder.
package enum ExtensionOrphans {
    /// The daemon as `<process>:<start>`. The start, in ticks since the machine's, distinguishes it from a later
    /// process with the same number.
    static let variable = "MDHOST_HOST_PROCESS"

    /// The variable's value in this process's extensions.
    static var mark: String { "\(getpid()):\(start(of: getpid()) ?? 0)" }

    /// Ends the processes, and returns when they are gone.
    ///
    /// - Parameter stateFolder: The folder that contains the extensions' own folders. Extensions of other daemons
    ///   aren't affected.
    /// - Returns: The number of ended processes.
    @discardableResult
    package static func end(stateFolder: String, logger: Logger) -> Int {
        var ended: Set<pid_t> = []
        // Again for what they started meanwhile, and until the kernel has removed them.
        for _ in 0..<100 {
            let orphans = processes.filter { isOrphan($0, stateFolder) }
            if orphans.isEmpty { break }
            for process in orphans where kill(process, stateFolder) { ended.insert(process) }
            usleep(2000)
        }
        if !ended.isEmpty { logger.notice("ended \(ended.count) processes that an earlier daemon's extensions left") }
        return ended.count
    }

    private static var processes: [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap(pid_t.init).filter { $0 != getpid() }
    }

    private static func kill(_ process: pid_t, _ stateFolder: String) -> Bool {
        let descriptor = pidfd_open(process, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // Asked again now that the descriptor keeps the number from meaning another process.
        guard isOrphan(process, stateFolder) else { return false }
        return pidfd_send_signal(descriptor, SIGKILL, nil, 0) == 0
    }

    /// Returns a Boolean value that indicates whether a process is an orphan. The environments of other users'
    /// processes can't be read, and ended ones have none.
    private static func isOrphan(_ process: pid_t, _ stateFolder: String) -> Bool {
        guard let environment = try? Data(contentsOf: URL(filePath: "/proc/\(process)/environ")) else { return false }
        return isOrphan(environment: environment, stateFolder: stateFolder) { start(of: $0) }
    }

    /// - Parameter start: Returns the start of a process; `nil` if it doesn't exist.
    static func isOrphan(environment: Data, stateFolder: String, start: (pid_t) -> UInt64?) -> Bool {
        var isOurs = false
        var host: Substring?
        for entry in environment.split(separator: 0) {
            let text = String(decoding: entry, as: UTF8.self)
            if text.hasPrefix("MDHOST_STATE_DIRECTORY=\(stateFolder)/") { isOurs = true }
            if text.hasPrefix(variable + "=") { host = text.dropFirst(variable.utf8.count + 1) }
        }
        guard isOurs, let parts = host?.split(separator: ":"), parts.count == 2, let process = pid_t(parts[0]),
            let begun = UInt64(parts[1])
        else { return false }
        return start(process) != begun
    }

    private static func start(of process: pid_t) -> UInt64? {
        guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = stat.lastIndex(of: ")")
        else { return nil }
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        // A daemon that ended and was not reaped keeps nothing.
        guard fields.count > 19, fields[0] != "Z", fields[0] != "X" else { return nil }
        return UInt64(fields[19])
    }
}
