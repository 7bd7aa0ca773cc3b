import CAvahi
import Glibc
import Synchronization
import Threads

/// A serial executor whose single thread is libavahi-client's main loop.
///
/// The library must only be called on the thread that polls it. With an actor on this executor every call is, and a C
/// callback may enter the actor with `assumeIsolated`: in order, without a lock or a hop. The thread ends when the
/// last reference to the loop is gone.
final class AvahiLoop: SerialExecutor {
    private let core: AvahiLoopCore

    /// - Throws: ``AvahiError`` `no-memory` or `operating-system` (no descriptor or thread left).
    init() throws(AvahiError) {
        core = try AvahiLoopCore()
        try core.start()
    }

    deinit {
        core.stop()
    }

    /// What `avahi_client_new` registers its descriptors with; only for use on this executor.
    var pollInterface: UnsafePointer<AvahiPoll> { avahi_simple_poll_get(core.poll) }

    func enqueue(_ job: consuming ExecutorJob) {
        core.enqueue(AvahiLoopCore.QueuedJob(job: UnownedJob(job), loop: self))
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func checkIsolated() {
        precondition(core.isCurrentThread, "called outside of the Avahi loop's thread")
    }
}

/// The part of the loop its thread keeps alive.
///
/// Separate from ``AvahiLoop`` because the last reference to that may go away inside one of its own jobs, where the
/// thread cannot be joined.
private final class AvahiLoopCore: Sendable {
    /// A job keeps its executor alive until it has run.
    struct QueuedJob: Sendable {
        let job: UnownedJob
        let loop: AvahiLoop
    }

    private struct State {
        var jobs: [QueuedJob] = []
        var isStopping = false
        var thread: pthread_t?
    }

    // Safe: used by `init` before the thread exists, and after that by the thread alone.
    nonisolated(unsafe) let poll: OpaquePointer
    /// An eventfd, watched like any descriptor: it stays readable until read, so no wake-up is lost.
    /// (`avahi_simple_poll_wakeup` discards one that arrives while the loop prepares to poll.)
    private let wake: Int32
    private let state = Mutex(State())

    init() throws(AvahiError) {
        guard let poll = avahi_simple_poll_new() else { throw AvahiError(.noMemory) }
        let wake = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard wake >= 0 else {
            avahi_simple_poll_free(poll)
            throw AvahiError(.operatingSystem)
        }
        self.poll = poll
        self.wake = wake
    }

    deinit {
        // Frees the watch as well.
        avahi_simple_poll_free(poll)
        close(wake)
    }

    var isCurrentThread: Bool {
        guard let thread = state.withLock({ $0.thread }) else { return false }
        return pthread_equal(thread, pthread_self()) != 0
    }

    func start() throws(AvahiError) {
        let unretained = Unmanaged.passUnretained(self).toOpaque()
        let interface = avahi_simple_poll_get(poll)!
        let watch = interface.pointee.watch_new(
            interface, wake, AVAHI_WATCH_IN,
            { _, _, _, context in
                guard let context else { return }
                Unmanaged<AvahiLoopCore>.fromOpaque(context).takeUnretainedValue().wakeUp()
            }, unretained)
        guard watch != nil else { throw AvahiError(.noMemory) }

        guard BackgroundThread.start({ self.run() }) else { throw AvahiError(.operatingSystem) }
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
        while avahi_simple_poll_iterate(poll, -1) == 0 {}
    }

    private func wakeUp() {
        var count: UInt64 = 0
        _ = read(wake, &count, 8)
        let (jobs, isStopping) = state.withLock { state in
            defer { state.jobs.removeAll() }
            return (state.jobs, state.isStopping)
        }
        for queued in jobs {
            queued.job.runSynchronously(on: queued.loop.asUnownedSerialExecutor())
        }
        if isStopping { avahi_simple_poll_quit(poll) }
    }
}
