import CSystemd
import Glibc

/// Owns one sd-bus object and drives it from its loop without blocking.
///
/// - Note: `@unchecked Sendable` because every member is used on the loop only: the owning actor runs there, and so do
///   the handlers registered here. Work queued on the loop is the only code that captures it.
final class BusDriver: @unchecked Sendable {
    enum Phase { case idle, running, draining, finished }

    let loop: DBusLoop
    let bus: OpaquePointer
    private(set) var phase = Phase.idle
    /// A Boolean value that indicates whether the connection ended because the peer sent an invalid message.
    private(set) var wasMalformed = false
    /// Called once when authentication (and on a bus the greeting) has finished.
    var onReady: () -> Void = {}
    /// Called once when the connection ends, for any reason. No sd-bus callback comes after it.
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

    /// The number of messages handled before other work of the loop gets its turn.
    private static let batch = 64
    /// The time ``close()`` waits for a peer that doesn't read, in microseconds.
    private static let drainLimit: UInt64 = 1_000_000
    /// The error numbers of an ordinary end of a connection.
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

    /// Updates the watch and the timer for the events sd-bus waits for; call it after any operation that sends a
    /// message.
    func settle() {
        guard !isProcessing, phase == .running || phase == .draining else { return }
        guard sd_bus_is_open(bus) > 0 else { return finish() }
        if !isReady, sd_bus_is_ready(bus) > 0 {
            isReady = true
            onReady()
            // The processed messages may have sent replies or closed the connection.
            guard phase == .running || phase == .draining else { return }
        }
        var queued: UInt64 = 0
        if phase == .draining, sd_bus_get_n_queued_write(bus, &queued) >= 0, queued == 0 { return finish() }
        let events = sd_bus_get_events(bus)
        guard events >= 0, watchDescriptor() else { return finish() }
        watch?.isWriting = events & Int32(POLLOUT) != 0
        watchTimeout()
    }

    /// Writes queued messages for at most a second, then ends the connection.
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

    /// Ends the connection at once and drops queued messages.
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
            // Handlers of the end may still use the bus, so sd-bus must not reach its own closing step.
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
