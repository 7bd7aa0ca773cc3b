/// The result of applying a ``ConfinementPolicy``, written by the process that applied it before it became the program.
package struct ConfinementReport: Sendable, Hashable {
    /// The kernel's version of Landlock; 0 without it.
    package var landlock: Int
    /// A Boolean value that indicates whether system calls are filtered.
    package var filtersCalls: Bool
    /// A Boolean value that indicates whether the program's processes and threads are counted apart from the person's
    /// others.
    package var countsProcesses: Bool
    /// A Boolean value that indicates whether the program can't see files and folders that it may not reach.
    package var hidesFiles: Bool

    package init(landlock: Int, filtersCalls: Bool, countsProcesses: Bool, hidesFiles: Bool) {
        self.landlock = landlock
        self.filtersCalls = filtersCalls
        self.countsProcesses = countsProcesses
        self.hidesFiles = hidesFiles
    }

    /// One part of the confinement.
    package enum Part: String, Sendable, Hashable, CaseIterable {
        /// Files and folders, and looking into other processes.
        case files
        /// TCP ports to listen on.
        case ports
        /// Signals to processes outside, and abstract sockets.
        case signals
        case systemCalls = "system-calls"
        /// The limit on the number of processes and threads.
        case processes
        /// The existence, sizes and times of files outside.
        case view = "private-view"
    }

    /// In the order of ``Part``.
    package var parts: [Part] {
        Part.allCases.filter { part in
            switch part {
            case .files: landlock >= 1
            case .ports: landlock >= 4
            case .signals: landlock >= 6
            case .systemCalls: filtersCalls
            case .processes: countsProcesses
            case .view: hidesFiles
            }
        }
    }

    package var missing: [Part] { Part.allCases.filter { !parts.contains($0) } }
}

/// A message of the launcher on its descriptor: one line.
package enum LauncherMessage: Sendable, Hashable {
    case confined(ConfinementReport)
    /// The confinement failed, or the program couldn't be executed; a clause without a full stop.
    case failed(String)

    package var line: String {
        switch self {
        case .confined(let report):
            ([report.landlock] + [report.filtersCalls, report.countsProcesses, report.hidesFiles].map { $0 ? 1 : 0 })
                .reduce("confined") { "\($0) \($1)" } + "\n"
        case .failed(let reason): "failed \(reason)\n"
        }
    }

    /// Reads the last complete valid line: the launcher reports a program that can't be executed after the confinement.
    package init?(_ text: String) {
        for line in text.split(separator: "\n").reversed() {
            let words = line.split(separator: " ", maxSplits: 1)
            guard words.count == 2 else { continue }
            if words[0] == "failed" {
                self = .failed(String(words[1]))
                return
            }
            let numbers = words[1].split(separator: " ").compactMap { Int($0) }
            guard words[0] == "confined", numbers.count == 4 else { continue }
            self = .confined(
                ConfinementReport(
                    landlock: numbers[0], filtersCalls: numbers[1] == 1, countsProcesses: numbers[2] == 1,
                    hidesFiles: numbers[3] == 1))
            return
        }
        return nil
    }
}
