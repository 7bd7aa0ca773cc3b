import CAvahi
import Glibc
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
        core.jobs.stop()
    }

    /// The poll interface that `avahi_client_new` registers its descriptors with; only for use on this executor.
    var pollInterface: UnsafePointer<AvahiPoll> { avahi_simple_poll_get(core.poll) }

    func enqueue(_ job: consuming ExecutorJob) {
        core.jobs.enqueue(job, on: self)
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func checkIsolated() {
        precondition(core.jobs.isCurrentThread, "called outside of the Avahi loop's thread")
    }
}

/// The part of the loop its thread keeps alive.
private final class AvahiLoopCore: Sendable {
    /// A job queue watched like any descriptor: `avahi_simple_poll_wakeup` discards wake-ups that arrive while the loop
    /// prepares to poll.
    let jobs: LoopJobs
    // Safe: used by `init` before the thread exists, and after that by the thread alone.
    nonisolated(unsafe) let poll: OpaquePointer

    init() throws(AvahiError) {
        guard let jobs = LoopJobs() else { throw AvahiError(.operatingSystem) }
        guard let poll = avahi_simple_poll_new() else { throw AvahiError(.noMemory) }
        self.jobs = jobs
        self.poll = poll
    }

    // Frees the watch as well.
    deinit { avahi_simple_poll_free(poll) }

    func start() throws(AvahiError) {
        let unretained = Unmanaged.passUnretained(self).toOpaque()
        let interface = avahi_simple_poll_get(poll)!
        let watch = interface.pointee.watch_new(
            interface, jobs.descriptor, AVAHI_WATCH_IN,
            { _, _, _, context in
                guard let context else { return }
                Unmanaged<AvahiLoopCore>.fromOpaque(context).takeUnretainedValue().wakeUp()
            }, unretained)
        guard watch != nil else { throw AvahiError(.noMemory) }

        guard BackgroundThread.start({ self.run() }) else { throw AvahiError(.operatingSystem) }
    }

    private func run() {
        jobs.adoptThread()
        while avahi_simple_poll_iterate(poll, -1) == 0 {}
    }

    private func wakeUp() {
        jobs.settle()
        if jobs.perform().isStopping { avahi_simple_poll_quit(poll) }
    }
}
