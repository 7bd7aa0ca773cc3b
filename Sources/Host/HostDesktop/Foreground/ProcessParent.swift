import Foundation

/// The reading of a process's parent from `/proc`.
package enum ProcessParent {
    /// Returns the parent of a process; `nil` if the process has exited.
    package static func of(_ processID: Int32) -> Int32? {
        (try? String(contentsOfFile: "/proc/\(processID)/stat", encoding: .utf8)).flatMap { of(status: $0) }
    }

    /// - Parameter status: As proc(5) has it; the program's name in parentheses may hold anything.
    static func of(status: String) -> Int32? {
        guard let end = status.lastIndex(of: ")") else { return nil }
        // State, parent.
        let fields = status[status.index(after: end)...].split(separator: " ", maxSplits: 2)
        return fields.count > 1 ? Int32(fields[1]) : nil
    }
}
