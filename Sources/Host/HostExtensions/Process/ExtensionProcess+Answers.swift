import DBus
import Foundation
import HostInterface
import LinkProtocol

/// Checks whether the process still answers. A process that hangs or was stopped is ended, so that another can replace
/// it.
extension ExtensionProcess {
    /// Waits for the greeting's time limit, which is extended while the process or the machine is busy.
    func waitForGreeting() async throws {
        let sample = timing.greeting / 5
        for _ in 1...3 {
            try await Task.sleep(for: timing.greeting - sample)
            let before = state
            try await Task.sleep(for: sample)
            guard state?.isBusy(since: before) == true else { return }
        }
    }

    /// Checks regularly for as long as the process runs.
    func watchAnswers() -> Task<Void, any Error> {
        Task { [weak self, interval = isInUse ? timing.heartbeat : timing.idleHeartbeat] in
            while true {
                try await SharedTicks.wait(interval)
                guard let self, await self.beat() else { return }
            }
        }
    }

    /// - Returns: `false` once the process has ended.
    private func beat() async -> Bool {
        guard processID != nil else { return false }
        if isReady { _ = await answers(within: timing.hang) }
        return true
    }

    /// Asks the process for an answer, and ends it if there is none.
    ///
    /// - Parameter limit: The time limit; `nil` if the caller has already waited.
    func answers(within limit: Duration? = nil) async -> Bool {
        // Reading the state of all threads costs more than the answer, so only those that are in doubt pay for it.
        let before = limit == nil ? state : nil
        if await ping(within: timing.doubt) { return true }
        guard isReady else { return false }
        let doubted = state
        if doubted?.isTraced == true { return true }
        if doubted?.isStopped == true { return give(up: "was stopped and does not go on") }
        if let limit, await ping(within: limit - timing.doubt) { return true }
        // Much to do, or a machine that leaves it little time: its turn to answer will come.
        let isBusy = state?.isBusy(since: before ?? doubted) ?? false
        if isReady, isBusy, await ping(within: timing.silence - timing.hang) { return true }
        return isReady ? give(up: "answered nothing for \(isBusy ? timing.silence : timing.hang)") : false
    }

    /// A Boolean value that indicates whether the process is being debugged, which may take any time.
    var isTraced: Bool { state?.isTraced == true }

    private var state: ProcessState? { processID.flatMap(ProcessState.init) }

    private func give(up reason: String) -> Bool {
        end(because: reason)
        return false
    }

    /// Sends a ping and returns whether there was a reply. An error for an unknown method counts as well, because older
    /// programs and those in other languages may not have it.
    private func ping(within limit: Duration) async -> Bool {
        while isReady {
            let start = ContinuousClock.now
            do throws(DBusError) {
                _ = try await connection.call(
                    nil, path: HostNames.extensionLinkPath, interface: HostNames.extensionLinkInterface,
                    member: ExtensionCall.Member.ping.rawValue, timeout: limit)
                return true
            } catch {
                switch error.name {
                case DBusError.Name.timeout, DBusError.Name.noReply:
                    // Late itself, this process may not have read an answer that has long been there.
                    if ContinuousClock.now - start < limit * 1.25 + .milliseconds(250) { return false }
                case DBusError.Name.disconnected: return false
                default: return true
                }
            }
        }
        return false
    }
}

/// The state of a process (proc_pid_status(5), proc_pid_stat(5)).
struct ProcessState: Sendable, Hashable {
    /// A Boolean value that indicates whether a signal stopped the process.
    let isStopped: Bool
    /// A Boolean value that indicates whether a debugger or similar tool traces the process.
    let isTraced: Bool
    /// A Boolean value that indicates whether one of its threads is running, or waits only for a processor or for a
    /// page from the disk.
    let isRunnable: Bool
    /// The consumed processor time, in hundredths of a second.
    let ticks: Int

    /// Creates the state of a process; `nil` if it doesn't exist.
    init?(process: pid_t) {
        let folder = "/proc/\(process)"
        func text(_ path: String) -> String? { try? String(contentsOfFile: folder + path, encoding: .utf8) }
        guard let status = text("/status"), let stat = text("/stat") else { return nil }
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/task")) ?? []
        self.init(status: status, stat: stat, threads: threads.compactMap { text("/task/\($0)/stat") })
    }

    /// - Parameter threads: The contents of each thread's `stat`.
    init(status: String, stat: String, threads: [String]) {
        func value(_ key: String) -> Substring? {
            status.split(separator: "\n").first { $0.hasPrefix(key + ":") }?.split(separator: "\t").last
        }
        // The name in parentheses may hold anything; what follows is the state.
        func fields(_ text: String) -> [Substring] { text.split(separator: ")").last?.split(separator: " ") ?? [] }
        isStopped = value("State")?.hasPrefix("T") ?? false
        isTraced = value("TracerPid").map { $0 != "0" } ?? false
        isRunnable = threads.contains { ["R", "D"].contains(fields($0).first) }
        let numbers = fields(stat)
        ticks = numbers.count > 12 ? (Int(numbers[11]) ?? 0) + (Int(numbers[12]) ?? 0) : 0
    }

    func isBusy(since earlier: ProcessState?) -> Bool { isRunnable || ticks > earlier?.ticks ?? 0 }
}
