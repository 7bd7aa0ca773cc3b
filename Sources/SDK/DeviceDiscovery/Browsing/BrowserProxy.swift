import Dispatch
import HostInterface
import Synchronization

/// A browser of the host as an object of this process, which `NWBrowser` and `SSDPBrowser` share.
///
/// Handlers run on the owner's queue, one at a time and in order. While the queue is busy, changes are collected and
/// reported together. Nothing is reported after `.cancelled` or `.failed`.
final class BrowserProxy<Item: Hashable & Sendable, Change: Hashable & Sendable>: Sendable {
    typealias State = NWBrowser.State
    typealias StateHandler = @Sendable (State) -> Void
    typealias ItemsHandler = @Sendable (Set<Item>, Set<Change>) -> Void

    private struct Shared {
        var state = State.setup
        var message: String?
        var queue: DispatchQueue?
        var stateHandler: StateHandler?
        var itemsHandler: ItemsHandler?
        var results: BrowseResults<Item>
        var untoldStates: [State] = []
        var isTelling = false
        var task: Task<Void, Never>?
    }

    private let shared: Mutex<Shared>
    private let slot: DiscoverySourceSlot
    private let change: @Sendable (BrowseResults<Item>.Change) -> Change?

    /// Creates a browser that isn't started.
    ///
    /// - Parameters:
    ///   - slot: The host, as soon as it is connected.
    ///   - item: A function that converts the host's items; `nil` for a malformed or unwanted item.
    ///   - change: A function that converts changes to the owner's type; `nil` for none.
    init(
        slot: DiscoverySourceSlot, item: @escaping @Sendable (BrowseItem) -> Item?,
        change: @escaping @Sendable (BrowseResults<Item>.Change) -> Change?
    ) {
        self.slot = slot
        self.change = change
        shared = Mutex(Shared(results: BrowseResults(item: item)))
    }

    var state: State { shared.withLock { $0.state } }
    var message: String? { shared.withLock { $0.message } }
    var queue: DispatchQueue? { shared.withLock { $0.queue } }
    var items: Set<Item> { shared.withLock { $0.results.items } }
    var stateHandler: StateHandler? {
        get { shared.withLock { $0.stateHandler } }
        set { shared.withLock { $0.stateHandler = newValue } }
    }
    var itemsHandler: ItemsHandler? {
        get { shared.withLock { $0.itemsHandler } }
        set { shared.withLock { $0.itemsHandler = newValue } }
    }

    /// Starts the browser. Later calls, and calls after `cancel()`, have no effect.
    ///
    /// - Parameters:
    ///   - queue: The queue for the handlers.
    ///   - request: The request to the host; `nil` if it is invalid.
    ///   - message: The reason why it is invalid.
    func start(queue: DispatchQueue, request: BrowseRequest?, message: String) {
        let isFirst = shared.withLock { shared in
            guard shared.queue == nil, shared.state == .setup else { return false }
            shared.queue = queue
            return true
        }
        guard isFirst else { return }
        guard let request else { return move(to: .failed(.badParameter), message: message) }
        if slot.current == nil {
            move(
                to: .waiting(.serviceNotRunning),
                message: "This program is not connected to the host, which does the browsing.")
        }
        let slot = slot
        let task = Task { [weak self] in
            guard let source = await slot.source(), !Task.isCancelled else { return }
            for await event in source.browse(request) {
                guard let self, !Task.isCancelled else { return }
                receive(event)
            }
            self?.move(to: .failed(.connectionLost), message: "The host ended the search.")
        }
        let isOver = shared.withLock { shared in
            guard !shared.state.isOver else { return true }
            shared.task = task
            return false
        }
        if isOver { task.cancel() }
    }

    /// Stops the browser. The state handler is called.
    func cancel() { move(to: .cancelled, message: nil) }

    /// Stops the browser without a report, because its owner was released.
    func abandon() {
        shared.withLock { shared in
            shared.stateHandler = nil
            shared.itemsHandler = nil
        }
        cancel()
    }

    private func receive(_ event: BrowseEvent) {
        switch event.kind {
        case .ready: move(to: .ready, message: nil)
        case .waiting: move(to: .waiting(.serviceNotRunning), message: event.message)
        case .failed: move(to: .failed(.badParameter), message: event.message)
        case .settled: break
        case .found, .changed, .lost:
            shared.withLock { shared in
                if !shared.state.isOver { shared.results.apply(event) }
            }
            tell()
        }
    }

    private func move(to state: State, message: String?) {
        let task: Task<Void, Never>? = shared.withLock { shared in
            guard !shared.state.isOver else { return nil }
            shared.message = message
            guard shared.state != state else { return nil }
            shared.state = state
            shared.untoldStates.append(state)
            guard state.isOver else { return nil }
            defer { shared.task = nil }
            return shared.task
        }
        task?.cancel()
        tell()
    }

    /// Schedules a report on the queue, unless one is scheduled.
    private func tell() {
        let queue: DispatchQueue? = shared.withLock { shared in
            guard !shared.isTelling, let queue = shared.queue else { return nil }
            shared.isTelling = true
            return queue
        }
        queue?.async { self.tellNow() }
    }

    private func tellNow() {
        typealias News = (
            states: [State], items: Set<Item>, changes: [BrowseResults<Item>.Change], stateHandler: StateHandler?,
            itemsHandler: ItemsHandler?
        )
        let news: News = shared.withLock { shared in
            shared.isTelling = false
            defer {
                shared.untoldStates = []
                // Handlers often hold their browser; an ended one lets go of them.
                if shared.state.isOver { (shared.stateHandler, shared.itemsHandler) = (nil, nil) }
            }
            let changes = shared.state.isOver ? [] : shared.results.takeChanges()
            return (shared.untoldStates, shared.results.items, changes, shared.stateHandler, shared.itemsHandler)
        }
        for state in news.states { news.stateHandler?(state) }
        let changes = Set(news.changes.compactMap(change))
        if !changes.isEmpty { news.itemsHandler?(news.items, changes) }
    }
}

extension NWBrowser.State {
    /// A Boolean value that indicates whether the state is final.
    fileprivate var isOver: Bool {
        switch self {
        case .cancelled, .failed: true
        case .setup, .ready, .waiting: false
        }
    }
}
