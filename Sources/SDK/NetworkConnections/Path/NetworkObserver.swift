import Dispatch
import Reachability
import Synchronization

/// An observer of this computer's links and addresses, shared by all connections and monitors of the process.
final class NetworkObserver: Sendable {
    static let shared = NetworkObserver()

    /// A subscription, which ends when it is released.
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
    /// The monitor, kept for the life of the process and used on the queue only.
    private let monitor = MonitorSlot()

    private init() {}

    /// Subscribes to changes.
    ///
    /// - Parameter handler: A closure that runs on a queue of the observer after each change.
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
            // Without it no changes are reported; the next subscriber tries again.
            return state.withLock { $0.isWatching = false }
        }
        monitor.start { [self] in
            for reader in state.withLock({ Array($0.readers.values) }) { reader() }
        }
        self.monitor.monitor = monitor
    }
}

/// - Note: `@unchecked Sendable`, because it is used on the observer's queue only.
private final class MonitorSlot: @unchecked Sendable {
    var monitor: InterfaceMonitor?
}
