import HostCore
import HostInterface
import Synchronization

/// The events of all extensions in order, for one reader; what extensions send is bounded per extension, what the host
/// says itself is not.
///
/// The buffer of an `AsyncStream` cannot say how much of one sender's waits: one flooding extension would push out the
/// others.
package final class ExtensionEventQueue: Sendable {
    private struct Load {
        var count = 0
        var cost = 0
    }

    private struct State {
        var waiting: [(event: SupervisedEvent, cost: Int?)] = []
        /// Index of the first element of `waiting` not handed out yet.
        var head = 0
        var loads: [String: Load] = [:]
        var reader: CheckedContinuation<Void, Never>?
        var isFinished = false
        /// The reader wants no more than what waits.
        var isCancelled = false

        mutating func takeFirst() -> SupervisedEvent? {
            guard head < waiting.count else { return nil }
            let (event, cost) = waiting[head]
            head += 1
            if let cost, var load = loads[event.identifier] {
                load.count -= 1
                load.cost -= cost
                loads[event.identifier] = load.count == 0 ? nil : load
            }
            if head == waiting.count {
                waiting.removeAll(keepingCapacity: waiting.count <= 1024)
                head = 0
            } else if head >= 1024, head * 2 >= waiting.count {
                waiting.removeFirst(head)
                head = 0
            }
            return event
        }
    }

    private let state = Mutex(State())
    /// So many are handed out at a time: they do not count as waiting any more.
    private static let batch = 64
    private let countLimit: Int
    private let costLimit: Int

    /// - Parameters:
    ///   - countLimit: Messages of one extension that may wait.
    ///   - costLimit: Their rough size in bytes.
    package init(countLimit: Int = 20_000, costLimit: Int = 64 << 20) {
        self.countLimit = countLimit
        self.costLimit = costLimit
    }

    /// Appends a message of an extension.
    ///
    /// - Returns: `false`, and nothing is appended, if too much of the same extension waits already.
    package func offer(_ event: SupervisedEvent, cost: Int) -> Bool {
        append(event, cost: cost)
    }

    /// Appends an event of the host, whatever waits.
    package func push(_ event: SupervisedEvent) {
        _ = append(event, cost: nil)
    }

    /// The reader ends after what waits.
    package func finish() {
        let reader = state.withLock { state in
            state.isFinished = true
            return state.reader.take()
        }
        reader?.resume()
    }

    /// What waits, then what comes; for one reader.
    package var stream: Batches<SupervisedEvent> { Batches({ await self.take($0) }, cancel: { self.cancel() }) }

    private func append(_ event: SupervisedEvent, cost: Int?) -> Bool {
        let (isAccepted, reader) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            guard !state.isFinished else { return (true, nil) }
            if let cost {
                var load = state.loads[event.identifier] ?? Load()
                load.count += 1
                load.cost += cost
                guard load.count <= countLimit, load.cost <= costLimit else { return (false, nil) }
                state.loads[event.identifier] = load
            }
            state.waiting.append((event, cost))
            return (true, state.reader.take())
        }
        reader?.resume()
        return isAccepted
    }

    private func take(_ isolation: isolated (any Actor)?) async -> [SupervisedEvent]? {
        while true {
            let (events, isOver) = state.withLock { state in
                var events: [SupervisedEvent] = []
                while events.count < Self.batch, let event = state.takeFirst() { events.append(event) }
                return (events, state.isFinished || state.isCancelled)
            }
            if !events.isEmpty { return events }
            if isOver { return nil }
            await wait(isolation)
        }
    }

    private func wait(_ isolation: isolated (any Actor)?) async {
        await withCheckedContinuation(isolation: isolation) { continuation in
            let isReady = state.withLock { state in
                guard state.head == state.waiting.count, !state.isFinished, !state.isCancelled else { return true }
                state.reader = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    private func cancel() {
        let reader = state.withLock { state in
            state.isCancelled = true
            return state.reader.take()
        }
        reader?.resume()
    }
}
