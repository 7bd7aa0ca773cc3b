import CEventFD
import Glibc
import Synchronization

/// The jobs of a serial executor whose single thread waits in a C library's loop, or in `poll`.
///
/// The thread waits for ``descriptor`` among others, and performs the queued jobs when it is readable. It keeps these
/// jobs alive, not the executor: the executor's last reference may go away inside one of its own jobs, where the thread
/// can't be joined.
package final class LoopJobs: Sendable {
    /// A job keeps its executor alive until it has run.
    private struct QueuedJob: Sendable {
        let job: UnownedJob
        let executor: any SerialExecutor
    }

    private struct State {
        var jobs: [QueuedJob] = []
        var isStopping = false
        var thread: pthread_t?
    }

    /// An eventfd: it stays readable until ``settle()``, so no wake-up is lost.
    package let descriptor: Int32
    private let state = Mutex(State())

    /// `nil` if the system has no descriptor left.
    package init?() {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    package var isCurrentThread: Bool {
        guard let thread = state.withLock({ $0.thread }) else { return false }
        return pthread_equal(thread, pthread_self()) != 0
    }

    package func enqueue(_ job: consuming ExecutorJob, on executor: some SerialExecutor) {
        let queued = QueuedJob(job: UnownedJob(job), executor: executor)
        state.withLock { $0.jobs.append(queued) }
        signal()
    }

    /// Ends the thread once it has performed the queued jobs.
    package func stop() {
        state.withLock { $0.isStopping = true }
        signal()
    }

    private func signal() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    // MARK: On the thread

    /// Makes the calling thread the one that performs jobs.
    package func adoptThread() { state.withLock { $0.thread = pthread_self() } }

    /// Has ``descriptor`` be readable only after the next job.
    package func settle() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }

    /// Performs the queued jobs, in order.
    ///
    /// - Returns: The number of jobs, and whether the thread should end.
    package func perform() -> (count: Int, isStopping: Bool) {
        let (jobs, isStopping) = state.withLock { state in
            defer { state.jobs.removeAll() }
            return (state.jobs, state.isStopping)
        }
        for queued in jobs { queued.job.runSynchronously(on: queued.executor.asUnownedSerialExecutor()) }
        return (jobs.count, isStopping)
    }
}
