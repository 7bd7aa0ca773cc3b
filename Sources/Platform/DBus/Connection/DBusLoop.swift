import Dispatch

/// The serial queue that connections, object servers and listeners live on.
///
/// Everything that happens on one loop is totally ordered: messages of all its connections, callbacks and the jobs of
/// the actors on it. `assumeIsolated` works from any callback of the loop for every actor that shares it.
package final class DBusLoop: SerialExecutor, Sendable {
    let queue: DispatchQueue
    private static let key = DispatchSpecificKey<ObjectIdentifier>()

    package init(label: String) {
        queue = DispatchQueue(label: label)
        queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    package func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    /// Whether the caller runs on this loop.
    package var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) }

    /// Runs `work` on the loop: at once if the caller is on it, else after what is queued.
    func perform(_ work: @escaping @Sendable () -> Void) {
        if isCurrent { work() } else { queue.async(execute: work) }
    }
}
