import DBus
import Foundation
import HostInterface

/// Whether the process still answers: one that hangs or was stopped is ended, so that the next one can do its work.
extension ExtensionProcess {
    /// As long as a greeting may take: longer where the process has much to do, or a machine that leaves it little time.
    func waitForGreeting() async throws {
        let sample = timing.greeting / 5
        for _ in 1...3 {
            try await Task.sleep(for: timing.greeting - sample)
            let before = state
            try await Task.sleep(for: sample)
            guard state?.isBusy(since: before) == true else { return }
        }
    }

    /// Asks again and again for as long as the process runs.
    func watchAnswers() {
        Task { [weak self, interval = timing.heartbeat] in
            while true {
                try await Task.sleep(for: interval)
                guard let self, await self.beat() else { return }
            }
        }
    }

    /// - Returns: `false` once there is nobody to ask any more.
    private func beat() async -> Bool {
        guard processID != nil else { return false }
        if isReady { _ = await answers(within: timing.hang) }
        return true
    }

    /// Asks whether it answers, and ends it if it does not.
    ///
    /// - Parameter limit: How long it may take; `nil` where it has been waited for already.
    func answers(within limit: Duration? = nil) async -> Bool {
        let before = state
        if await ping(within: timing.doubt) { return true }
        guard isReady else { return false }
        if isTraced { return true }
        if state?.isStopped == true { return give(up: "was stopped and does not go on") }
        if let limit, await ping(within: limit - timing.doubt) { return true }
        // Much to do, or a machine that leaves it little time: its turn to answer will come.
        let isBusy = state?.isBusy(since: before) ?? false
        if isReady, isBusy, await ping(within: timing.silence - timing.hang) { return true }
        return isReady ? give(up: "answered nothing for \(isBusy ? timing.silence : timing.hang)") : false
    }

    /// Somebody looks into it, and may do so for as long as they like.
    var isTraced: Bool { state?.isTraced == true }

    private var state: ProcessState? { processID.flatMap(ProcessState.init) }

    private func give(up reason: String) -> Bool {
        end(because: reason)
        return false
    }

    /// Every word back counts, also that there is no such method: older programs and those in other languages.
    private func ping(within limit: Duration) async -> Bool {
        while isReady {
            let start = ContinuousClock.now
            do throws(DBusError) {
                _ = try await connection.call(
                    nil, path: HostNames.extensionLinkPath, interface: HostNames.extensionLinkInterface,
                    member: "Ping", timeout: limit)
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

/// Whether the system lets a process run (proc_pid_status(5), proc_pid_stat(5)).
struct ProcessState: Sendable, Hashable {
    /// By a signal, until it is sent another.
    let isStopped: Bool
    /// By a debugger or the like.
    let isTraced: Bool
    /// Whether one of its threads runs, or would if there were a processor for it, or if the disk had given it its page.
    let isRunnable: Bool
    /// What it has had of the processors, in hundredths of a second.
    let ticks: Int

    /// `nil` where there is no such process.
    init?(process: pid_t) {
        let folder = "/proc/\(process)"
        func text(_ path: String) -> String? { try? String(contentsOfFile: folder + path, encoding: .utf8) }
        guard let status = text("/status"), let stat = text("/stat") else { return nil }
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/task")) ?? []
        self.init(status: status, stat: stat, threads: threads.compactMap { text("/task/\($0)/stat") })
    }

    /// - Parameter threads: `stat` of each.
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
