import CSystemd
import Glibc
import Synchronization
import Threads

/// A descriptor a loop waits for. On the loop.
final class DescriptorWatch {
    private let descriptor: Int32
    private unowned let thread: LoopThread
    fileprivate let number: UInt64
    fileprivate let handler: () -> Void
    private var isCancelled = false

    /// A Boolean value that indicates whether `handler` is also called while the descriptor is writable.
    var isWriting = false {
        didSet { if isWriting != oldValue { _ = control(EPOLL_CTL_MOD) } }
    }

    fileprivate init?(_ descriptor: Int32, _ thread: LoopThread, _ number: UInt64, _ handler: @escaping () -> Void) {
        self.descriptor = descriptor
        self.thread = thread
        self.number = number
        self.handler = handler
        guard control(EPOLL_CTL_ADD) else { return nil }
    }

    /// Stops calling the handler; the descriptor may be closed afterwards.
    func cancel() {
        guard !isCancelled else { return }
        isCancelled = true
        _ = control(EPOLL_CTL_DEL)
        thread.forget(self)
    }

    private func control(_ operation: Int32) -> Bool {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue | (isWriting ? EPOLLOUT.rawValue : 0)
        event.data.u64 = number
        return epoll_ctl(thread.poll, operation, descriptor, &event) == 0
    }
}

/// The part of a ``DBusLoop`` that its thread keeps alive: the last reference to the loop may go away inside one of its own
/// jobs.
///
/// - Note: `@unchecked Sendable` because everything but ``state`` is used by the thread alone, or before there is one.
final class LoopThread: @unchecked Sendable {
    enum Work {
        /// Keeps its executor alive until it has run.
        case job(UnownedJob, DBusLoop)
        case closure(@Sendable () -> Void)
    }

    private struct State {
        var work: [Work] = []
        /// The thread waits or is about to wait; new work must wake it.
        var isAsleep = false
        var isStopping = false
    }

    let poll: Int32
    private let wake: Int32
    private let state = Mutex(State())
    private let identity = Atomic<UInt>(0)
    private var watches: [UInt64: DescriptorWatch] = [:]
    private var timers = LoopTimers()
    private var lastNumber: UInt64 = 0

    /// The number of rounds of work before descriptors are polled.
    private static let rounds = 16

    init() {
        poll = epoll_create1(Int32(EPOLL_CLOEXEC))
        wake = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        // Loops are created at startup: a program without a free descriptor at that time can't work at all.
        precondition(poll >= 0 && wake >= 0, "no descriptor is left for a loop")
    }

    deinit {
        close(poll)
        close(wake)
    }

    var isCurrent: Bool { identity.load(ordering: .relaxed) == UInt(pthread_self()) }

    func start(_ label: String) {
        var event = epoll_event()
        // Once for each write, so that nothing has to be read.
        event.events = EPOLLIN.rawValue | EPOLLET.rawValue
        event.data.u64 = 0
        epoll_ctl(poll, EPOLL_CTL_ADD, wake, &event)
        precondition(BackgroundThread.start { self.run() }, "no thread is left for the loop \(label)")
    }

    func stop() {
        state.withLock { $0.isStopping = true }
        signal()
    }

    func append(_ work: Work) {
        let isAsleep = state.withLock { state in
            state.work.append(work)
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if isAsleep { signal() }
    }

    private func signal() {
        var one: UInt64 = 1
        _ = write(wake, &one, 8)
    }

    // MARK: The thread

    private func run() {
        identity.store(UInt(pthread_self()), ordering: .relaxed)
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        while let isIdle = performWork(waitingNext: true) {
            let count = epoll_wait(poll, &events, Int32(events.count), isIdle ? timeout : 0)
            // Work queued until now may precede the events that are ready.
            guard performWork(waitingNext: false) != nil else { return }
            for event in events.prefix(Int(max(0, count))) { handle(event.data.u64) }
            fireTimers()
        }
    }

    /// - Returns: Whether all work is done; `nil` if the loop has ended.
    private func performWork(waitingNext isWaitingNext: Bool) -> Bool? {
        for _ in 0..<Self.rounds {
            let work: [Work]? = state.withLock { state in
                state.isAsleep = isWaitingNext && state.work.isEmpty && !state.isStopping
                guard state.work.isEmpty else {
                    defer { state.work = [] }
                    return state.work
                }
                return state.isStopping ? nil : []
            }
            guard let work else { return nil }
            if work.isEmpty { return true }
            for item in work {
                switch item {
                case .job(let job, let loop): job.runSynchronously(on: loop.asUnownedSerialExecutor())
                case .closure(let closure): closure()
                }
            }
        }
        return false
    }

    private func handle(_ number: UInt64) {
        // The wake-up has no watch, and an earlier handler may have cancelled this one.
        watches[number]?.handler()
    }

    // MARK: On the loop

    func watch(_ descriptor: Int32, _ handler: @escaping () -> Void) -> DescriptorWatch? {
        lastNumber += 1
        guard let watch = DescriptorWatch(descriptor, self, lastNumber, handler) else { return nil }
        watches[lastNumber] = watch
        return watch
    }

    fileprivate func forget(_ watch: DescriptorWatch) { watches[watch.number] = nil }

    func timer(at deadline: UInt64, _ handler: @escaping () -> Void) -> LoopTimer {
        let timer = LoopTimer(deadline, handler)
        timers.insert(timer)
        return timer
    }

    /// Milliseconds until the next timer, rounded up; -1 without one.
    private var timeout: Int32 {
        guard let next = timers.next else { return -1 }
        let now = DBusLoop.now
        return next <= now ? 0 : Int32(clamping: (next - now + 999) / 1000)
    }

    private func fireTimers() {
        guard timers.next != nil else { return }
        // Timers set by a handler wait for the next round.
        for timer in timers.takeDue(DBusLoop.now) where !timer.isOver {
            timer.isOver = true
            timer.handler()
        }
    }
}
