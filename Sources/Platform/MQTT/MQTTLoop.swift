import CMosquitto
import Glibc
import Threads

/// A serial executor whose single thread waits for one connection's socket.
///
/// With the connection on this executor every call of libmosquitto is on that thread, and a C callback may enter the actor
/// with `assumeIsolated`: in order, without a lock or a hop. The thread ends when the last reference to the loop is gone.
final class MQTTLoop: SerialExecutor {
    private let core: MQTTLoopCore

    /// - Throws: ``MQTTError`` `unreachable` if no descriptor or thread is left.
    init() throws(MQTTError) {
        core = try MQTTLoopCore()
        try core.start()
    }

    deinit {
        core.jobs.stop()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        core.jobs.enqueue(job, on: self)
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func checkIsolated() {
        precondition(core.jobs.isCurrentThread, "called outside of the MQTT loop's thread")
    }

    /// From now on its socket is waited for. On the loop.
    func watch(_ connection: MQTTConnection) { core.connection = connection }
}

/// The part of the loop its thread keeps alive.
///
/// - Note: `@unchecked Sendable` because ``connection`` is used by the thread alone, and the rest is constant.
private final class MQTTLoopCore: @unchecked Sendable {
    let jobs: LoopJobs
    weak var connection: MQTTConnection?

    init() throws(MQTTError) {
        guard let jobs = LoopJobs() else { throw MQTTError(.unreachable, "No descriptor is left for a connection") }
        self.jobs = jobs
    }

    func start() throws(MQTTError) {
        guard BackgroundThread.start({ self.run() }) else {
            throw MQTTError(.unreachable, "No thread is left for a connection")
        }
    }

    private func run() {
        jobs.adoptThread()
        while performJobs() {
            var waited = [pollfd(fd: jobs.descriptor, events: Int16(POLLIN), revents: 0)]
            var patience: Int32 = -1
            if let interest = connection?.assumeIsolated({ $0.interest }) {
                waited.append(pollfd(fd: interest.descriptor, events: interest.events, revents: 0))
                patience = interest.milliseconds
            }
            _ = poll(&waited, nfds_t(waited.count), patience)
            if waited[0].revents != 0 { jobs.settle() }
            let ready = waited.count > 1 ? waited[1].revents : 0
            connection?.assumeIsolated { $0.turn(ready) }
        }
    }

    /// - Returns: Whether to continue.
    private func performJobs() -> Bool {
        while true {
            let (count, isStopping) = jobs.perform()
            if count == 0 { return !isStopping }
        }
    }
}
