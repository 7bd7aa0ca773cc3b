import CPulseAudio
import Glibc
import SoundFeed
import Threads

/// A serial executor whose single thread is libpulse's main loop.
///
/// The library must only be called on that thread. With the connection's actor on this executor every call is, and a C callback
/// may enter the actor with `assumeIsolated`: in order, without a lock or a hop. The thread ends when the last reference to the
/// loop is gone.
final class PulseLoop: SerialExecutor {
    private let core: PulseLoopCore

    /// - Throws: ``SoundServerError`` if the library is missing, or no memory, descriptor or thread is left.
    init() throws(SoundServerError) {
        if let reason = mdhost_pulse_load() {
            throw SoundServerError(library: "libpulse0", of: "PulseAudio", reason: String(cString: reason))
        }
        core = try PulseLoopCore()
        try core.start()
    }

    deinit { core.jobs.stop() }

    /// The interface that the library registers its descriptors and timers with; only for use on this executor.
    var interface: UnsafeMutablePointer<pa_mainloop_api> { pa_mainloop_get_api(core.loop) }

    func enqueue(_ job: consuming ExecutorJob) {
        core.jobs.enqueue(job, on: self)
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func checkIsolated() {
        precondition(core.jobs.isCurrentThread, "called outside of the thread of PulseAudio's loop")
    }
}

/// The part of the loop its thread keeps alive.
private final class PulseLoopCore: Sendable {
    let jobs: LoopJobs
    // Safe: used by `init` and `start` before the thread exists, and after that by the thread alone.
    nonisolated(unsafe) let loop: OpaquePointer

    init() throws(SoundServerError) {
        guard let jobs = LoopJobs() else {
            throw SoundServerError("PulseAudio cannot be asked: the system has no descriptor left")
        }
        guard let loop = pa_mainloop_new() else {
            throw SoundServerError("PulseAudio cannot be asked: the system has no memory or descriptor left")
        }
        self.jobs = jobs
        self.loop = loop
    }

    // Frees the watch as well.
    deinit { pa_mainloop_free(loop) }

    func start() throws(SoundServerError) {
        let interface = pa_mainloop_get_api(loop)
        _ = interface?.pointee.io_new(
            interface, jobs.descriptor, PA_IO_EVENT_INPUT,
            { _, _, _, _, core in
                guard let core else { return }
                Unmanaged<PulseLoopCore>.fromOpaque(core).takeUnretainedValue().wakeUp()
            }, Unmanaged.passUnretained(self).toOpaque())
        guard BackgroundThread.start({ self.run() }) else {
            throw SoundServerError("PulseAudio cannot be asked: the system has no thread left")
        }
    }

    private func run() {
        jobs.adoptThread()
        while pa_mainloop_iterate(loop, 1, nil) >= 0 {}
    }

    private func wakeUp() {
        jobs.settle()
        if jobs.perform().isStopping { pa_mainloop_quit(loop, 0) }
    }
}
