import Dispatch
import Synchronization
import Testing

@testable import Threads

/// Tasks that are resumed without a thread of Swift's pool.
@Suite(.timeLimit(.minutes(1)))
struct DirectResumptionTests {
    @Test("A task continues on its actor's executor, after the queued jobs")
    func executor() async {
        let keeper = Keeper()
        async let value = keeper.wait()
        let continuation = await keeper.continuation()
        continuation.resumeDirectly(returning: 7)
        #expect(await value == 7)
        #expect(await keeper.isOnQueue)
    }

    @Test("None of the task's code runs on the resuming thread, even if its actor has no executor of its own")
    func lock() async {
        let waiter = Waiter()
        async let value = waiter.wait()
        await waiter.waitUntilWaiting()
        // With the lock held, as a queue might resume its reader: the task takes the lock next.
        waiter.resume(returning: 7)
        #expect(await value == 7)
    }

    @Test("An actor's job can resume a task of the same actor, which continues after the job")
    func sameActor() async {
        let keeper = Keeper()
        async let value = keeper.wait()
        _ = await keeper.continuation()
        #expect(await keeper.resumeFromWithin(returning: 7) == ["resumed"])
        #expect(await value == 7)
        #expect(await keeper.events == ["resumed", "continued"])
    }

    @Test("A task that isn't waiting yet goes on at once")
    func early() async {
        let keeper = Keeper()
        #expect(await keeper.resumeEarly(returning: 7) == 7)
    }

    @Test("A task on the main actor continues there")
    @MainActor func mainActor() async {
        let value: Int = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resumeDirectly(returning: 7) }
        }
        MainActor.assertIsolated()
        #expect(value == 7)
    }

    @Test("A task of no actor continues in the pool")
    func pool() async {
        let queue = DispatchQueue(label: "resuming")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        await wait(nil, on: queue)
        #expect(DispatchQueue.getSpecific(key: key) == nil)
    }

    /// Like the readers of queues: isolated to the caller, if that is isolated.
    private func wait(_ isolation: isolated (any Actor)?, on queue: DispatchQueue) async {
        await withCheckedContinuation(isolation: isolation) { continuation in
            let reader = IsolatedContinuation(continuation, isolation: isolation)
            queue.async { reader.resume() }
        }
    }

    @Test("Jobs of other tasks still go to the pool")
    func others() async {
        let keeper = Keeper()
        async let value = keeper.wait()
        await keeper.continuation().resumeDirectly(returning: 7)
        let sum = await withTaskGroup(of: Int.self) { group in
            for number in 1...100 { group.addTask { number } }
            return await group.reduce(0, +)
        }
        #expect(sum == 5050)
        #expect(await value == 7)
    }
}

/// An actor on a queue.
private actor Keeper {
    private final class Executor: SerialExecutor {
        let queue = DispatchQueue(label: "keeper")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }

        func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
    }

    private nonisolated let executor = Executor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private var waiting: CheckedContinuation<Int, Never>?
    private var awaiting: [CheckedContinuation<CheckedContinuation<Int, Never>, Never>] = []
    private(set) var events: [String] = []

    var isOnQueue: Bool {
        dispatchPrecondition(condition: .onQueue(executor.queue))
        return true
    }

    func wait() async -> Int {
        let value = await withCheckedContinuation { continuation in
            waiting = continuation
            for other in awaiting { other.resume(returning: continuation) }
            awaiting = []
        }
        dispatchPrecondition(condition: .onQueue(executor.queue))
        events.append("continued")
        return value
    }

    /// The continuation of the waiting task.
    func continuation() async -> CheckedContinuation<Int, Never> {
        if let waiting { return waiting }
        return await withCheckedContinuation { awaiting.append($0) }
    }

    func resumeFromWithin(returning value: Int) -> [String] {
        waiting?.resumeDirectly(returning: value)
        events.append("resumed")
        return events
    }

    func resumeEarly(returning value: Int) async -> Int {
        await withCheckedContinuation { $0.resumeDirectly(returning: value) }
    }
}

/// A default actor whose task takes a lock as soon as it continues.
private actor Waiter {
    private struct State {
        var waiting: CheckedContinuation<Int, Never>?
        var awaiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func wait() async -> Int {
        let value = await withCheckedContinuation { continuation in
            state.withLock { state in
                state.waiting = continuation
                state.awaiting.take()?.resume()
            }
        }
        return state.withLock { _ in value }
    }

    nonisolated func waitUntilWaiting() async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                if state.waiting == nil { state.awaiting = continuation } else { continuation.resume() }
            }
        }
    }

    nonisolated func resume(returning value: Int) {
        state.withLock { $0.waiting.take()?.resumeDirectly(returning: value) }
    }
}
