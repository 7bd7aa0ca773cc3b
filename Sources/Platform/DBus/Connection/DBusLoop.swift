import Glibc

/// The serial thread of connections, object servers and listeners.
///
/// Everything on one loop is totally ordered: messages of all its connections, callbacks and the jobs of its actors.
/// `assumeIsolated` works from any callback of the loop for every actor that shares it. The thread ends when the last
/// reference to the loop is gone and the queued work is done.
///
/// A thread that polls its descriptors itself, instead of a Dispatch queue: Dispatch polls on one thread, handles
/// events on another, and passes each job through one more queue, which takes longer than most messages.
package final class DBusLoop: SerialExecutor, Sendable {
    private let core = LoopThread()

    /// - Parameter label: For debugging.
    package init(label: String) { core.start(label) }

    deinit { core.stop() }

    package func enqueue(_ job: consuming ExecutorJob) { core.append(.job(UnownedJob(job), self)) }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    package func checkIsolated() { precondition(isCurrent, "called outside of the loop's thread") }

    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    /// A Boolean value that indicates whether the caller runs on this loop.
    package var isCurrent: Bool { core.isCurrent }

    /// Runs `work` on the loop: at once if the caller is on it, else after the queued work.
    func perform(_ work: @escaping @Sendable () -> Void) {
        if isCurrent { work() } else { async(work) }
    }

    /// Runs `work` on the loop after the queued work, also if the caller is on the loop.
    func async(_ work: @escaping @Sendable () -> Void) { core.append(.closure(work)) }

    // MARK: On the loop

    /// Has `handler` called while the descriptor is readable, until the watch is cancelled.
    func watch(_ descriptor: Int32, _ handler: @escaping () -> Void) -> DescriptorWatch? {
        core.watch(descriptor, handler)
    }

    /// Calls `handler` once at a time of `CLOCK_MONOTONIC` in microseconds, unless it is cancelled or moved.
    func timer(at deadline: UInt64, _ handler: @escaping () -> Void) -> LoopTimer { core.timer(at: deadline, handler) }

    /// `CLOCK_MONOTONIC` in microseconds.
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
    }
}
