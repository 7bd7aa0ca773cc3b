import CMosquitto
import Glibc
import Synchronization
import Threads

/// A serial executor whose single thread waits for one connection's socket.
///
/// With the connection on this executor every call of libmosquitto is on that thread, and a C callback may enter the actor
/// with `assumeIsolated`: in order, without a lock or a hop. The thread ends when the last reference to the loop is gone.
final class MQTTLoop: SerialExecutor {
    private let core: MQTTLoopCore

    /// - Throws: ``MQTTError`` `unreachable` where no descriptor or thread is left.
    init() throws(MQTTError) {
        core = try MQTTLoopCore()
        try core.start()
    }

    deinit {
        core.stop()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        core.enqueue(MQTTLoopCore.QueuedJob(job: UnownedJob(job), loop: self))
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func checkIsolated() {
        precondition(core.isCurrentThread, "called outside of the MQTT loop's thread")
    }

    /// From now on its socket is waited for. On the loop.
    func watch(_ connection: MQTTConnection) { core.connection = connection }
}

/// The part of the loop its thread keeps alive: the last reference to ``MQTTLoop`` may go away inside one of its own jobs.
///
/// - Note: `@unchecked Sendable` because ``connection`` is used by the thread alone, and the rest is constant or locked.
private final class MQTTLoopCore: @unchecked Sendable {
    /// A job keeps its executor alive until it has run.
    struct QueuedJob: Sendable {
        let job: UnownedJob
        let loop: MQTTLoop
    }

    private struct State {
        var jobs: [QueuedJob] = []
        var isStopping = false
        var thread: pthread_t?
    }

    weak var connection: MQTTConnection?
    private let wake: Int32
    private let state = Mutex(State())

    init() throws(MQTTError) {
        wake = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard wake >= 0 else { throw MQTTError(.unreachable, "No descriptor is left for a connection") }
    }

    deinit { close(wake) }

    var isCurrentThread: Bool {
        guard let thread = state.withLock({ $0.thread }) else { return false }
        return pthread_equal(thread, pthread_self()) != 0
    }

    func start() throws(MQTTError) {
        guard BackgroundThread.start({ self.run() }) else {
            throw MQTTError(.unreachable, "No thread is left for a connection")
        }
    }

    func enqueue(_ job: QueuedJob) {
        state.withLock { $0.jobs.append(job) }
        signal()
    }

    func stop() {
        state.withLock { $0.isStopping = true }
        signal()
    }

    private func signal() {
        var one: UInt64 = 1
        _ = write(wake, &one, 8)
    }

    private func run() {
        state.withLock { $0.thread = pthread_self() }
        while performJobs() {
            var waited = [pollfd(fd: wake, events: Int16(POLLIN), revents: 0)]
            var patience: Int32 = -1
            if let interest = connection?.assumeIsolated({ $0.interest }) {
                waited.append(pollfd(fd: interest.descriptor, events: interest.events, revents: 0))
                patience = interest.milliseconds
            }
            _ = poll(&waited, nfds_t(waited.count), patience)
            var count: UInt64 = 0
            if waited[0].revents != 0 { _ = read(wake, &count, 8) }
            let ready = waited.count > 1 ? waited[1].revents : 0
            connection?.assumeIsolated { $0.turn(ready) }
        }
    }

    /// - Returns: Whether to go on.
    private func performJobs() -> Bool {
        while true {
            let (jobs, isStopping) = state.withLock { state in
                defer { state.jobs.removeAll() }
                return (state.jobs, state.isStopping)
            }
            for queued in jobs { queued.job.runSynchronously(on: queued.loop.asUnownedSerialExecutor()) }
            if jobs.isEmpty { return !isStopping }
        }
    }
}
