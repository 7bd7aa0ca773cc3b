import CSystemd
import Glibc

/// Owns one sd-bus object and drives it from its loop, without ever blocking.
///
/// - Note: `@unchecked Sendable` because every member is touched on the loop only: the owning actor runs there, and so do
///   the handlers of what is watched here. What is queued there is what needs to capture it.
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

    private var watch: DescriptorWatch?
    private var descriptor: Int32 = -1
    private var timer: LoopTimer?
    private var timerDeadline = UInt64.max
    private var drainTimer: LoopTimer?
    private var isProcessing = false
    private var isContinuationQueued = false
    private var isReady = false

    /// So many messages are handled before other work of the loop gets its turn.
    private static let batch = 64
    /// How long ``close()`` waits for a peer that does not read, in microseconds.
    private static let drainLimit: UInt64 = 1_000_000
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

    /// Brings watch and timer in line with what sd-bus waits for; call it after anything that sent a message.
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
        watch?.isWriting = events & Int32(POLLOUT) != 0
        watchTimeout()
    }

    /// Writes what is queued, for at most a second, and ends.
    func close() {
        switch phase {
        case .idle: finish()
        case .running:
            phase = .draining
            drainTimer = loop.timer(at: DBusLoop.now + Self.drainLimit) { [weak self] in self?.finish() }
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
            // Whoever is told of the end may still use the bus, so sd-bus may not get to its own closing step.
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
        loop.async { [weak self] in
            self?.isContinuationQueued = false
            self?.process()
        }
    }

    // MARK: Waiting

    /// Watches the descriptor. sd-bus takes another one only when it goes through a list of TCP addresses, which ends the
    /// connection here.
    private func watchDescriptor() -> Bool {
        let current = sd_bus_get_fd(bus)
        guard current >= 0 else { return false }
        guard watch == nil else { return current == descriptor }
        descriptor = current
        watch = loop.watch(current) { [weak self] in self?.process() }
        return watch != nil
    }

    /// The timer is only ever moved to an earlier time; if it fires for nothing, it finds the next deadline.
    private func watchTimeout() {
        var deadline = UInt64.max
        guard sd_bus_get_timeout(bus, &deadline) >= 0, deadline < timerDeadline else { return }
        timerDeadline = deadline
        timer?.cancel()
        timer = loop.timer(at: deadline) { [weak self] in
            guard let self else { return }
            timerDeadline = .max
            process()
        }
    }

    // MARK: The end

    private func finish() {
        guard phase != .finished else { return }
        phase = .finished
        timer?.cancel()
        drainTimer?.cancel()
        watch?.cancel()
        watch = nil
        onFinish()
        onReady = {}
        onFinish = {}
        // Not here: this may be a callback of sd-bus.
        loop.async { self.closeBus() }
    }

    private func closeBus() {
        _ = sd_bus_close_unref(bus)
        onClosed()
        onClosed = {}
    }
}
