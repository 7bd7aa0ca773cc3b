import Dispatch
import Reachability
import Synchronization

/// The machine's links and addresses, watched once for all connections and monitors of the process.
final class NetworkObserver: Sendable {
    static let shared = NetworkObserver()

    /// Ends when nobody holds it any more.
    final class Subscription: Sendable {
        private let number: Int
        fileprivate init(_ number: Int) { self.number = number }
        deinit { NetworkObserver.shared.remove(number) }
    }

    private struct State {
        var readers: [Int: @Sendable () -> Void] = [:]
        var lastNumber = 0
        var isWatching = false
    }

    private let queue = DispatchQueue(label: "NetworkObserver")
    private let state = Mutex(State())
    /// Kept for the process's life; touched on the queue alone.
    private let monitor = MonitorSlot()

    private init() {}

    /// - Parameter handler: Told on a queue of the observer after each change.
    func subscribe(_ handler: @escaping @Sendable () -> Void) -> Subscription {
        let (number, isFirst) = state.withLock { state in
            defer { state.isWatching = true }
            state.lastNumber += 1
            state.readers[state.lastNumber] = handler
            return (state.lastNumber, !state.isWatching)
        }
        if isFirst { queue.async { self.watch() } }
        return Subscription(number)
    }

    private func remove(_ number: Int) { state.withLock { _ = $0.readers.removeValue(forKey: number) } }

    private func watch() {
        guard let monitor = try? InterfaceMonitor(queue: queue) else {
            // Without it nothing is told; the next subscriber tries again.
            return state.withLock { $0.isWatching = false }
        }
        monitor.start { [self] in
            for reader in state.withLock({ Array($0.readers.values) }) { reader() }
        }
        self.monitor.monitor = monitor
    }
}

/// - Note: `@unchecked Sendable`: touched on the observer's queue alone.
private final class MonitorSlot: @unchecked Sendable {
    var monitor: InterfaceMonitor?
}
