import Dispatch
import Foundation

/// The state of one stream of a channel, and the delivery of its events to the delegate.
///
/// - Note: `@unchecked Sendable` because the compiler can't check run loops and delegates. A lock protects all mutable
///   state; run loops are used only to add timers, which may be done from any thread.
final class StreamEvents: @unchecked Sendable {
    private struct Schedule {
        let loop: RunLoop
        let mode: RunLoop.Mode
    }

    private let lock = NSLock()
    private var schedules: [Schedule] = []
    /// The events before the stream was scheduled: at most one of each kind.
    private var early: [Stream.Event] = []
    private var currentStatus = Stream.Status.notOpen
    private var currentError: (any Error)?
    private var isWaiting = false
    private weak var ownDelegate: (any StreamDelegate)?

    var delegate: (any StreamDelegate)? {
        get { lock.withLock { ownDelegate } }
        set { lock.withLock { ownDelegate = newValue } }
    }

    var status: Stream.Status { lock.withLock { currentStatus } }
    var error: (any Error)? { lock.withLock { currentError } }
    var isScheduled: Bool { lock.withLock { !schedules.isEmpty } }

    /// Changes the status.
    ///
    /// - Returns: `false` if it already was that one, or can't become it any longer.
    func change(to new: Stream.Status, _ error: (any Error)? = nil) -> Bool {
        lock.withLock {
            let isPossible =
                switch new {
                case .open: currentStatus == .notOpen
                case .atEnd, .error: currentStatus == .open
                default: currentStatus != .closed
                }
            guard isPossible else { return false }
            currentStatus = new
            currentError = error
            return true
        }
    }

    /// Begins to wait for readiness.
    ///
    /// - Returns: `false` if that isn't needed: nothing is open or scheduled, or a wait or its event is on the way.
    func beginWaiting() -> Bool {
        lock.withLock {
            guard currentStatus == .open, !schedules.isEmpty, !isWaiting else { return false }
            isWaiting = true
            return true
        }
    }

    func endWaiting() { lock.withLock { isWaiting = false } }

    func schedule(_ loop: RunLoop, _ mode: RunLoop.Mode, of stream: some EventStream) {
        let early = lock.withLock {
            schedules.append(Schedule(loop: loop, mode: mode))
            defer { self.early = [] }
            return self.early
        }
        for event in early { post(event, of: stream) }
    }

    func remove(_ loop: RunLoop, _ mode: RunLoop.Mode) {
        lock.withLock { schedules.removeAll { $0.loop === loop && $0.mode == mode } }
    }

    /// Has an event handled on the first run loop of the stream.
    func post(_ event: Stream.Event, of stream: some EventStream) {
        let schedule = lock.withLock {
            if schedules.isEmpty { early.append(event) }
            return schedules.first
        }
        guard let schedule else { return }
        let reference = Weak<any EventStream>(stream)
        // In a program of Swift concurrency the main loop doesn't run, but the main queue does.
        guard schedule.loop !== RunLoop.main else {
            return DispatchQueue.main.async { reference.object?.handle(event) }
        }
        // Wakes the loop, as a block for it would not.
        schedule.loop.add(
            Timer(timeInterval: 0, repeats: false) { _ in reference.object?.handle(event) }, forMode: schedule.mode)
    }
}

/// A stream of a channel, as its events see it.
protocol EventStream: AnyObject {
    /// Passes an event to the delegate, on the stream's run loop.
    func handle(_ event: Stream.Event)
}
