import Foundation
package import HostCore

/// The reading of a process's facts from `/proc`.
package enum ProcessForeground {
    package static func isForeground(_ processID: Int32) -> Bool {
        facts(processID)?.isForeground ?? false
    }

    /// Returns the facts about a process; `nil` if it has exited.
    package static func facts(_ processID: Int32) -> ForegroundFacts? {
        guard let status = text("/proc/\(processID)/stat") else { return nil }
        let environment = text("/proc/\(processID)/environ") ?? ""
        return facts(status: status, environment: environment, groups: text("/proc/\(processID)/cgroup") ?? "")
    }

    /// - Parameters:
    ///   - status: As proc(5) has it; the program's name in parentheses may hold anything.
    ///   - environment: Each variable ends with a NUL.
    ///   - groups: The process's control groups.
    static func facts(status: String, environment: String, groups: String) -> ForegroundFacts? {
        guard let end = status.lastIndex(of: ")") else { return nil }
        // State, parent, process group, session, terminal, the terminal's process group.
        let fields = status[status.index(after: end)...].split(separator: " ")
        guard fields.count > 5, let group = Int32(fields[2]), let terminal = Int32(fields[4]),
            let foreground = Int32(fields[5])
        else { return nil }
        let hasDisplay = environment.split(separator: "\0").contains { variable in
            ["DISPLAY=", "WAYLAND_DISPLAY="].contains { variable.hasPrefix($0) && variable != $0 }
        }
        let unit = groups.split(separator: "\n").last?.split(separator: "/").last { $0.contains(".") }
        return ForegroundFacts(
            terminal: terminal == 0 ? nil : (group, foreground), hasDisplay: hasDisplay, unit: unit.map(String.init))
    }

    private static func text(_ path: String) -> String? {
        (try? Data(contentsOf: URL(filePath: path))).map { String(decoding: $0, as: UTF8.self) }
    }
}
