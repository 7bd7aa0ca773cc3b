import Dispatch
import HostInterface
import Synchronization

/// A browser of the host as an object of this process: what `NWBrowser` and `SSDPBrowser` have in common.
///
/// Handlers run on the owner's queue, one at a time and in order. While that queue is busy, changes gather and are told
/// together. After `.cancelled` or `.failed` nothing more is told.
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

    /// - Parameters:
    ///   - slot: Where the host is, as soon as it is connected.
    ///   - item: Reads what the host sends; `nil` for an item that is malformed or not wanted.
    ///   - change: Puts a change in the owner's words; `nil` for none.
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

    /// Starts once; later calls, and calls after `cancel()`, do nothing.
    ///
    /// - Parameters:
    ///   - request: What to ask the host for; `nil` if it can never be found.
    ///   - message: Why not.
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

    /// Ends the search; the handler is told so.
    func cancel() { move(to: .cancelled, message: nil) }

    /// Ends the search because nobody is there any more to be told.
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

    /// Has the queue tell what is untold, unless it is going to anyway.
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
    /// Whether nothing can follow.
    fileprivate var isOver: Bool {
        switch self {
        case .cancelled, .failed: true
        case .setup, .ready, .waiting: false
        }
    }
}
