public import DeviceDiscovery
public import Dispatch
import Reachability
import Synchronization

/// A monitor of this computer's network: the interfaces that are up and have addresses.
///
/// The handler runs on the queue of ``start(queue:)``: once for the current path, then for every change.
public final class NWPathMonitor: Sendable {
    private struct State {
        var queue: DispatchQueue?
        var path: NWPath?
        var handler: (@Sendable (NWPath) -> Void)?
        var subscription: NetworkObserver.Subscription?
        var isOver = false
    }

    private let state = Mutex(State())
    private let required: NWInterface.InterfaceType?
    private let prohibited: [NWInterface.InterfaceType]

    /// Creates a monitor of all interfaces.
    public init() { (required, prohibited) = (nil, []) }
    /// Creates a monitor of the interfaces of one type.
    public init(requiredInterfaceType: NWInterface.InterfaceType) {
        (required, prohibited) = (requiredInterfaceType, [])
    }
    /// Creates a monitor of all interfaces except those of some types.
    public init(prohibitedInterfaceTypes: [NWInterface.InterfaceType]) {
        (required, prohibited) = (nil, prohibitedInterfaceTypes)
    }

    /// The path that was last reported; before the first report, the current one.
    public var currentPath: NWPath { state.withLock { $0.path } ?? look() }
    /// The queue of the handler; `nil` before ``start(queue:)``.
    public var queue: DispatchQueue? { state.withLock { $0.queue } }

    /// A handler that receives every new path.
    public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { state.withLock { $0.handler } }
        set { state.withLock { $0.handler = newValue } }
    }

    /// Starts the monitor. Only the first call has an effect, and none after ``cancel()``.
    public func start(queue: DispatchQueue) {
        let isFirst = state.withLock { state in
            guard state.queue == nil, !state.isOver else { return false }
            state.queue = queue
            return true
        }
        guard isFirst else { return }
        let subscription = NetworkObserver.shared.subscribe { [weak self] in self?.update() }
        state.withLock { state in
            if !state.isOver { state.subscription = subscription }
        }
        update()
    }

    /// Stops the monitor. It reports nothing afterwards and can't be restarted.
    public func cancel() {
        state.withLock { state in
            state.isOver = true
            (state.subscription, state.handler) = (nil, nil)
        }
    }

    private func look() -> NWPath {
        let entries = (try? InterfaceAddress.all()) ?? []
        return NWPath(entries: entries, system: .current()) { interface in
            (required == nil || interface.type == required) && !prohibited.contains(interface.type)
        }
    }

    private func update() {
        state.withLock { state in
            let path = look()
            guard !state.isOver, state.path != path else { return }
            state.path = path
            // Under the lock: a serial queue then delivers in the order of the changes.
            state.queue?.async { [weak self] in self?.pathUpdateHandler?(path) }
        }
    }
}
