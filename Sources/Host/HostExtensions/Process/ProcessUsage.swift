import Foundation
package import HostCore

extension ExtensionProcess {
    /// Returns the current usage of the process; `nil` before its launch and after its end.
    package func usage() -> ProcessUsage? {
        // Not reaped while this runs, so the number means no other process.
        child.flatMap { ProcessUsage(process: $0.processID) }
    }
}

extension ProcessUsage {
    /// Reads `/proc` (proc_pid_stat(5), proc_pid_smaps_rollup(5), proc_pid_statm(5)); `nil` if the process doesn't
    /// exist.
    init?(process: pid_t) {
        func text(_ name: String) -> String? {
            try? String(contentsOfFile: "/proc/\(process)/\(name)", encoding: .utf8)
        }
        // The name in parentheses may hold anything; the third field, the state, is the first after it.
        guard let stat = text("stat"), let end = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        let ticks = Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
        guard fields.count > 19, let user = Double(fields[11]), let system = Double(fields[12]),
            let start = Double(fields[19])
        else { return nil }
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        let running = Double(now.tv_sec) + Double(now.tv_nsec) / 1e9 - start / ticks

        // Closed where the process may not be looked into; the coarser file is open to all.
        let rollup = text("smaps_rollup")?.split(separator: "\n") ?? []
        func kilobytes(_ key: String) -> UInt64? {
            rollup.first { $0.hasPrefix(key) }.flatMap { UInt64($0.filter(\.isNumber)) }
        }
        let pages = text("statm")?.split(separator: " ").dropFirst().first.flatMap { UInt64($0) } ?? 0
        self.init(
            residentMemory: kilobytes("Rss:").map { $0 << 10 } ?? pages * UInt64(max(1, sysconf(Int32(_SC_PAGESIZE)))),
            proportionalMemory: kilobytes("Pss:").map { $0 << 10 },
            processorTime: (user + system) / ticks, runningTime: max(0, running))
    }
}
