import HostCore
import HostInterface
import Synchronization

@testable import HostExtensions

/// Time that stands still until a test moves it.
final class ManualClock: Sendable {
    private struct State {
        var now = ContinuousClock.Instant.now
        var sleepers: [(until: ContinuousClock.Instant, wake: CheckedContinuation<Void, Never>)] = []
        var advanceWaiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var supervision: SupervisionClock {
        SupervisionClock(
            now: { [self] in state.withLock { $0.now } },
            sleep: { [self] instant in
                await withCheckedContinuation { continuation in
                    let isDue = state.withLock { state in
                        guard state.now < instant else { return true }
                        state.sleepers.append((instant, continuation))
                        return false
                    }
                    if isDue { continuation.resume() }
                }
            })
    }

    /// Wakes the sleepers that are due. Sleepers that come later see the new time at once.
    func advance(by duration: Duration) async {
        let due = state.withLock { state in
            state.now += duration
            let now = state.now
            let due = state.sleepers.filter { $0.until <= now }
            state.sleepers.removeAll { $0.until <= now }
            return due
        }
        for sleeper in due { sleeper.wake.resume() }
    }
}

extension Batches<SupervisedEvent>.Iterator {
    mutating func nextEvent(where isWanted: (SupervisedEvent) -> Bool) async -> SupervisedEvent? {
        while let event = await next() {
            if isWanted(event) { return event }
        }
        return nil
    }

    mutating func nextButStatus() async -> ExtensionEvent? {
        await nextEvent { if case .status = $0.event { false } else { true } }?.event
    }

    mutating func nextStatus(where isWanted: (ExtensionStatus) -> Bool = { _ in true }) async -> ExtensionStatus? {
        while let event = await next() {
            if case .status(let status) = event.event, isWanted(status) { return status }
        }
        return nil
    }
}
