import DeviceDiscovery
import Dispatch
import Synchronization

/// The side of a connection that its owner sees: the state, and the handlers on the owner's queue.
final class ConnectionFace: Sendable {
    struct Handlers {
        var state: (@Sendable (NWConnection.State) -> Void)?
        var viability: (@Sendable (Bool) -> Void)?
        var betterPath: (@Sendable (Bool) -> Void)?
        var path: (@Sendable (NWPath) -> Void)?
    }

    private struct Shared {
        var state = NWConnection.State.setup
        var path: NWPath?
        var queue: DispatchQueue?
        var handlers = Handlers()
        var metadata: [NWProtocolMetadata] = []
        var maximumDatagramSize = 65_507
        var lastNumber = 0
    }

    private let shared = Mutex(Shared())

    var state: NWConnection.State { shared.withLock { $0.state } }
    var queue: DispatchQueue? { shared.withLock { $0.queue } }
    var path: NWPath? { shared.withLock { $0.path } }
    var metadata: [NWProtocolMetadata] { shared.withLock { $0.metadata } }
    var handlers: Handlers { shared.withLock { $0.handlers } }
    func edit(_ change: (inout Handlers) -> Void) { shared.withLock { change(&$0.handlers) } }

    /// Returns the number of a new send or receive.
    func nextNumber() -> Int {
        shared.withLock { shared in
            shared.lastNumber += 1
            return shared.lastNumber
        }
    }

    /// Sets the queue.
    ///
    /// - Returns: `true` for the first call.
    func start(_ queue: DispatchQueue) -> Bool {
        shared.withLock { shared in
            guard shared.queue == nil else { return false }
            shared.queue = queue
            return true
        }
    }

    func set(_ metadata: [NWProtocolMetadata]) { shared.withLock { $0.metadata = metadata } }

    func tell(_ state: NWConnection.State) {
        shared.withLock { shared in
            guard shared.state != state else { return }
            shared.state = state
            // Under the lock: a serial queue then delivers in the order of the states.
            shared.queue?.async { self.deliver(state) }
        }
    }

    func tell(_ path: NWPath) {
        shared.withLock { shared in
            guard shared.path != path else { return }
            shared.path = path
            shared.queue?.async { self.handlers.path?(path) }
        }
    }

    func tellViability(_ isViable: Bool) { perform { self.handlers.viability?(isViable) } }
    func tellBetterPath(_ isThere: Bool) { perform { self.handlers.betterPath?(isThere) } }

    /// Runs an action on the queue, after all earlier reports. Before `start(queue:)` it uses a system queue.
    func perform(_ action: @escaping @Sendable () -> Void) {
        shared.withLock { ($0.queue ?? .global()).async(execute: DispatchWorkItem(block: action)) }
    }

    private func deliver(_ state: NWConnection.State) {
        let handler = shared.withLock { shared in
            // Handlers often hold their connection; an ended one lets go of them.
            defer { if state == .cancelled { shared.handlers = Handlers() } }
            return shared.handlers.state
        }
        handler?(state)
    }
}
