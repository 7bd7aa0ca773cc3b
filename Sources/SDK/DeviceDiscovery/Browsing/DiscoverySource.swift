package import HostInterface
import Synchronization

/// The source of discovery and announcements for this process: the host at the other end of the link.
package protocol DiscoverySource: Sendable {
    /// Starts a browser, which stops when the iteration of its events ends.
    func browse(_ request: BrowseRequest) -> AsyncStream<BrowseEvent>
    /// Performs a Bluetooth order, which is cancelled when the iteration of its answers ends.
    func order(_ order: BluetoothOrder) -> BluetoothExchange
    /// Announces a service, which is withdrawn when the iteration of the events ends.
    func announce(_ request: AnnounceRequest) -> AsyncStream<AnnounceEvent>
}

extension DiscoverySource {
    package func announce(_ request: AnnounceRequest) -> AsyncStream<AnnounceEvent> {
        AsyncStream {
            $0.yield(.failed(.unsupported, "Announcing isn't available in this process."))
            $0.finish()
        }
    }

    package func order(_ order: BluetoothOrder) -> BluetoothExchange {
        BluetoothExchange(
            answers: AsyncStream {
                $0.yield(.failed("not-supported", "Bluetooth isn't available in this process."))
                $0.finish()
            }
        ) { _ in }
    }
}

/// A Bluetooth order in progress.
package struct BluetoothExchange: Sendable {
    package let answers: AsyncStream<BluetoothAnswer>
    package let reply: @Sendable (BluetoothOrder) -> Void

    package init(answers: AsyncStream<BluetoothAnswer>, reply: @escaping @Sendable (BluetoothOrder) -> Void) {
        self.answers = answers
        self.reply = reply
    }
}

/// The source of this process.
package enum DiscoverySources {
    /// The source of the process, or of the task in tests that run several extensions in one process.
    @TaskLocal package static var shared = DiscoverySourceSlot()

    /// Sets the source. Browsers that were started before begin now.
    package static func install(_ source: any DiscoverySource) { shared.install(source) }

    /// The source; `nil` until one is installed.
    package static var current: (any DiscoverySource)? { shared.current }
}

/// A slot for a source that may be set later.
package final class DiscoverySourceSlot: Sendable {
    private struct State {
        var source: (any DiscoverySource)?
        var waiters: [Int: CheckedContinuation<(any DiscoverySource)?, Never>] = [:]
        var next = 0
        /// The waiters that were cancelled before they started to wait.
        var cancelled: Set<Int> = []
    }
    private let state = Mutex(State())

    package init() {}

    package var current: (any DiscoverySource)? { state.withLock { $0.source } }

    package func install(_ source: any DiscoverySource) {
        let waiters = state.withLock { state in
            defer { state.waiters = [:] }
            state.source = source
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume(returning: source) }
    }

    /// Waits for the source; `nil` if the task is cancelled.
    func source() async -> (any DiscoverySource)? {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: (any DiscoverySource)?? = state.withLock { state in
                    if state.cancelled.remove(id) != nil { return .some(nil) }
                    if let source = state.source { return source }
                    state.waiters[id] = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                let waiter = state.waiters.removeValue(forKey: id)
                // Without a waiter and a source the waiting is still to come, and must end at once.
                if waiter == nil, state.source == nil { state.cancelled.insert(id) }
                return waiter
            }
            waiter?.resume(returning: nil)
        }
    }
}
