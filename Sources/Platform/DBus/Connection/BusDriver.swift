import CSystemd
import Dispatch
import Glibc

/// Owns one sd-bus object and drives it from Dispatch sources, without ever blocking.
///
/// - Note: `@unchecked Sendable` because every member is touched on `loop.queue` only: the owning actor runs there, and
///   so do the handlers of all sources made here. Handlers are what needs to capture it.
final class BusDriver: @unchecked Sendable {
    enum Phase { case idle, running, draining, finished }

    let loop: DBusLoop
    let bus: OpaquePointer
    private(set) var phase = Phase.idle
    /// Whether it is over because the peer sent what is no message.
    private(set) var wasMalformed = false
    /// Called once, when authentication (and on a bus the greeting) is over.
    var onReady: () -> Void = {}
    /// Called once, when the connection is over for whatever reason. No callback of sd-bus comes after it.
    var onFinish: () -> Void = {}
    /// Called once, after ``onFinish``, when the descriptor is closed.
    var onClosed: () -> Void = {}

    private var descriptor: Int32 = -1
    private var readSource: (any DispatchSourceRead)?
    private var writeSource: (any DispatchSourceWrite)?
    private var isWriteSourceActive = false
    private var timer: (any DispatchSourceTimer)?
    private var timerDeadline = UInt64.max
    private var drainTimer: (any DispatchSourceTimer)?
    private var isProcessing = false
    private var isContinuationQueued = false
    private var isReady = false
    private var livingSources = 0

    /// So many messages are handled before other work of the loop gets its turn.
    private static let batch = 256
    /// How long ``close()`` waits for a peer that does not read.
    private static let drainLimit = DispatchTimeInterval.seconds(1)
    /// How a connection ends that nobody spoiled.
    private static let endings: Set<Int32> = [ECONNRESET, ENOTCONN, EPIPE, ESHUTDOWN, ETIMEDOUT]

    /// - Parameter bus: Owned by the driver from here on.
    init(bus: OpaquePointer, loop: DBusLoop) {
        self.bus = bus
        self.loop = loop
    }

    /// Begins to read and write. `sd_bus_start` must have succeeded.
    func start() {
        guard phase == .idle else { return }
        phase = .running
        settle()
        queueContinuation()
    }

    /// Brings sources and timer in line with what sd-bus waits for; call it after anything that sent a message.
    func settle() {
        guard !isProcessing, phase == .running || phase == .draining else { return }
        guard sd_bus_is_open(bus) > 0 else { return finish() }
        if !isReady, sd_bus_is_ready(bus) > 0 {
            isReady = true
            onReady()
            // What became possible now may have sent or closed.
            guard phase == .running || phase == .draining else { return }
        }
        var queued: UInt64 = 0
        if phase == .draining, sd_bus_get_n_queued_write(bus, &queued) >= 0, queued == 0 { return finish() }
        let events = sd_bus_get_events(bus)
        guard events >= 0, watchDescriptor() else { return finish() }
        setWriting(events & Int32(POLLOUT) != 0)
        watchTimeout()
    }

    /// Writes what is queued, for at most a second, and ends.
    func close() {
        switch phase {
        case .idle: finish()
        case .running:
            phase = .draining
            let timer = DispatchSource.makeTimerSource(queue: loop.queue)
            timer.setEventHandler { [weak self] in self?.finish() }
            timer.schedule(deadline: .now() + Self.drainLimit)
            timer.resume()
            drainTimer = timer
            settle()
        case .draining, .finished: break
        }
    }

    /// Ends at once; what is queued is lost.
    func abort() { finish() }

    // MARK: Processing

    private func process() {
        guard !isProcessing, phase == .running || phase == .draining else { return }
        isProcessing = true
        var remaining = Self.batch
        var result: Int32 = 1
        while result > 0, remaining > 0, phase == .running || phase == .draining {
            result = sd_bus_process(bus, nil)
            remaining -= 1
            // The descriptor must stay open until its sources are gone, so sd-bus may not get to its own closing step.
            if sd_bus_is_open(bus) <= 0 { result = -ECONNRESET }
        }
        isProcessing = false
        if result < 0 {
            wasMalformed = !Self.endings.contains(-result)
            return finish()
        }
        if result > 0 { queueContinuation() }
        settle()
    }

    private func queueContinuation() {
        guard !isContinuationQueued else { return }
        isContinuationQueued = true
        loop.queue.async { [weak self] in
            self?.isContinuationQueued = false
            self?.process()
        }
    }

    // MARK: Sources

    /// Makes the read source. sd-bus takes another descriptor only when it goes through a list of TCP addresses, which
    /// ends the connection here.
    private func watchDescriptor() -> Bool {
        let current = sd_bus_get_fd(bus)
        guard current >= 0 else { return false }
        guard descriptor < 0 else { return current == descriptor }
        descriptor = current
        let source = DispatchSource.makeReadSource(fileDescriptor: current, queue: loop.queue)
        source.setEventHandler { [weak self] in self?.process() }
        source.resume()
        readSource = source
        return true
    }

    private func setWriting(_ wanted: Bool) {
        guard wanted != isWriteSourceActive else { return }
        isWriteSourceActive = wanted
        guard wanted else {
            writeSource?.suspend()
            return
        }
        if writeSource == nil {
            let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: loop.queue)
            source.setEventHandler { [weak self] in self?.process() }
            writeSource = source
        }
        writeSource?.resume()
    }

    /// The timer is only ever moved to an earlier time; if it fires for nothing, it finds the next deadline.
    private func watchTimeout() {
        var deadline = UInt64.max
        guard sd_bus_get_timeout(bus, &deadline) >= 0, deadline < timerDeadline else { return }
        timerDeadline = deadline
        let now = clock_gettime_nsec(CLOCK_MONOTONIC) / 1000
        let distance = deadline > now ? min(deadline - now, UInt64(Int32.max)) : 0
        let timer = self.timer ?? makeTimer()
        timer.schedule(deadline: .now() + .microseconds(Int(distance)), leeway: .milliseconds(1))
    }

    private func makeTimer() -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: loop.queue)
        timer.setEventHandler { [weak self] in
            guard let self else { return }
            timerDeadline = .max
            process()
        }
        timer.resume()
        self.timer = timer
        return timer
    }

    // MARK: The end

    private func finish() {
        guard phase != .finished else { return }
        phase = .finished
        timer?.cancel()
        drainTimer?.cancel()
        onFinish()
        onReady = {}
        onFinish = {}
        closeAfterSources()
    }

    /// Closes the bus once Dispatch has let go of its descriptor: a number that is reused while Dispatch still watches
    /// it would never be reported again.
    private func closeAfterSources() {
        let sources: [any DispatchSourceProtocol] = [readSource, writeSource].compactMap { $0 }
        // A suspended source would never get to its cancel handler.
        if !isWriteSourceActive { writeSource?.resume() }
        readSource = nil
        writeSource = nil
        guard !sources.isEmpty else { return loop.queue.async { self.closeBus() } }
        livingSources = sources.count
        for source in sources {
            source.setCancelHandler {
                self.livingSources -= 1
                if self.livingSources == 0 { self.closeBus() }
            }
            source.cancel()
        }
    }

    private func closeBus() {
        _ = sd_bus_close_unref(bus)
        onClosed()
        onClosed = {}
    }
}

private func clock_gettime_nsec(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
