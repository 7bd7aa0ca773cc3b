import CTaskResumption

extension CheckedContinuation where E == Never {
    /// Resumes a task that waits in code isolated to an actor, without a thread of Swift's pool in between.
    ///
    /// The calling thread takes the task to the actor's executor, and runs none of its code; it may hold a lock.
    package func resumeDirectly(returning value: sending T) {
        task_resumption_begin()
        resume(returning: value)
        // None if the task has not begun to wait.
        guard let job = task_resumption_end() else { return }
        unsafeBitCast(job, to: UnownedJob.self).runSynchronously(on: Passage.shared.asUnownedSerialExecutor())
    }
}

/// A task that waits in code with its caller's isolation.
package struct IsolatedContinuation: Sendable {
    private let continuation: CheckedContinuation<Void, Never>
    private let isIsolated: Bool

    package init(_ continuation: CheckedContinuation<Void, Never>, isolation: (any Actor)?) {
        self.continuation = continuation
        isIsolated = isolation != nil
    }

    /// Resumes the task, on its actor if it has one, otherwise in the pool.
    package func resume() {
        if isIsolated { continuation.resumeDirectly(returning: ()) } else { continuation.resume() }
    }
}

/// The executor of a task on its way to its actor.
///
/// No actor has it, so that the task can't stay; and Swift doesn't lend the thread of a serial executor to actors, so that
/// the task goes to the queue of its own.
private final class Passage: SerialExecutor {
    static let shared = Passage()

    func enqueue(_ job: consuming ExecutorJob) { preconditionFailure("no actor has this executor") }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}
