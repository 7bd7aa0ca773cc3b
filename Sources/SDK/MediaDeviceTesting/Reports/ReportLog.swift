import HostInterface
import MediaDevice
import Synchronization

/// The reports of an extension, and the waits for further ones.
final class ReportLog: Sendable {
    private struct Waiter {
        let fits: @Sendable (ExtensionReport) -> Bool
        let continuation: CheckedContinuation<ExtensionReport?, Never>
    }

    private struct State {
        var reports: [ExtensionReport] = []
        /// The number of reports that waits have passed.
        var passed = 0
        var waiters: [Int: Waiter] = [:]
        var last = 0
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())

    var reports: [ExtensionReport] { state.withLock { $0.reports } }

    func add(_ report: ExtensionReport) {
        let satisfied = state.withLock { state in
            state.reports.append(report)
            let fitting = state.waiters.filter { $0.value.fits(report) }
            for key in fitting.keys { state.waiters[key] = nil }
            if !fitting.isEmpty { state.passed = state.reports.count }
            return fitting.values
        }
        for waiter in satisfied { waiter.continuation.resume(returning: report) }
    }

    /// Returns the first matching report after those that earlier waits passed, and waits for it if necessary.
    ///
    /// - Returns: `nil` if the task is cancelled.
    func next(_ fits: @escaping @Sendable (ExtensionReport) -> Bool) async -> ExtensionReport? {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: ExtensionReport?? = state.withLock { state in
                    if state.cancelled.remove(number) != nil { return .some(nil) }
                    if let index = state.reports[state.passed...].firstIndex(where: fits) {
                        state.passed = index + 1
                        return state.reports[index]
                    }
                    state.waiters[number] = Waiter(fits: fits, continuation: continuation)
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                let waiter = state.waiters.removeValue(forKey: number)
                if waiter == nil { state.cancelled.insert(number) }
                return waiter
            }
            waiter?.continuation.resume(returning: nil)
        }
    }
}
