import Foundation

extension ExtensionProcess {
    /// Ends a process that takes too much, for as long as it runs.
    func watchUsage() -> Task<Void, any Error> {
        Task { [weak self, interval = isInUse ? timing.usage : timing.idleUsage] in
            var rhythm = UsageRhythm()
            while true {
                try await SharedTicks.wait(interval)
                guard let self, await self.checkUsage(&rhythm) else { return }
            }
        }
    }

    /// - Returns: `false` once the process has ended.
    private func checkUsage(_ rhythm: inout UsageRhythm) async -> Bool {
        guard let process = processID else { return false }
        let (folder, limits, isAlone) = (launch.stateDirectory, usageLimits, !launch.manifest.runsPrograms)
        guard rhythm.isDue(processorTime: isAlone ? ProcessorClock.time(of: process) : nil) else { return true }
        // A folder full of files takes a while to look through.
        let usage = await Task.detached(priority: .utility) {
            ExtensionUsage.current(process: process, isAlone: isAlone, folder: folder, limits: limits)
        }.value
        if let excess = usage.excess(over: limits) { end(because: excess) }
        return true
    }
}

/// Decides whether a process can take more than at the last check: only one that has run since.
struct UsageRhythm: Sendable, Hashable {
    /// The processor time within which nobody fills much memory.
    static let slack = Duration.milliseconds(5)
    /// The number of checks in a row that can be left out.
    static let patience = 12

    private var last: Duration?
    private var omitted = 0

    /// Returns whether to check now.
    ///
    /// - Parameter processorTime: The time that all its threads have used, or `nil` where descendants may have used some.
    mutating func isDue(processorTime: Duration?) -> Bool {
        if let processorTime, let last, processorTime - last < Self.slack, omitted < Self.patience {
            omitted += 1
            return false
        }
        last = processorTime
        omitted = 0
        return true
    }
}

/// The processor time of another process, by one system call instead of files in `/proc`.
enum ProcessorClock {
    /// Returns the time that all threads of a process have used; `nil` if it doesn't exist.
    static func time(of process: pid_t) -> Duration? {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return nil }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
