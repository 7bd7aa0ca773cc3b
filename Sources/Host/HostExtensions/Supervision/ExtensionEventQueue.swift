package import HostCore
package import HostInterface
import Synchronization
import Threads

/// The events of all extensions in order, for one reader. Extensions' messages are limited for each extension; the
/// host's own events aren't.
///
/// The buffer of an `AsyncStream` can't count the waiting events by sender, so that one extension could displace the
/// events of others.
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
        var reader: IsolatedContinuation?
        var isFinished = false
        /// A Boolean value that indicates whether the reader takes nothing but the waiting events.
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
    /// The maximum number of events in a batch. Events in a batch no longer count as waiting.
    private static let batch = 64
    private let countLimit: Int
    private let costLimit: Int

    /// - Parameters:
    ///   - countLimit: The maximum number of waiting messages of an extension.
    ///   - costLimit: Their maximum approximate size in bytes.
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

    /// Ends the stream after the waiting events.
    package func finish() {
        let reader = state.withLock { state in
            state.isFinished = true
            return state.reader.take()
        }
        reader?.resume()
    }

    /// The waiting and future events, for one reader.
    package var stream: Batches<SupervisedEvent> { Batches({ await self.take($0) }, cancel: { self.cancel() }) }

    private func append(_ event: SupervisedEvent, cost: Int?) -> Bool {
        let (isAccepted, reader) = state.withLock { state -> (Bool, IsolatedContinuation?) in
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
                state.reader = IsolatedContinuation(continuation, isolation: isolation)
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
