import HostInterface

/// One underlying browse and those who joined it.
struct SharedBrowse {
    /// Tells one browse for a request from the next.
    let number: Int
    private var items: [String: BrowseItem] = [:]
    /// Keys in the order of discovery.
    private var order: [String] = []
    private var isSettled = false
    private var outage: BrowseEvent?
    private(set) var members: Set<Int> = []
    /// Consumes the underlying browse; cancelled when the last member leaves.
    var task: Task<Void, Never>?

    init(number: Int) {
        self.number = number
    }

    /// What a new member is told at once: all that is known, then that it is all, or what the browse waits for.
    mutating func join(_ member: Int) -> [BrowseEvent] {
        members.insert(member)
        var known = order.compactMap { key in items[key].map { BrowseEvent(.found, item: $0) } }
        if let outage { known.append(outage) } else if isSettled { known.append(BrowseEvent(.settled)) }
        return known
    }

    mutating func leave(_ member: Int) {
        members.remove(member)
    }

    /// Remembers an event for those who join later.
    mutating func note(_ event: BrowseEvent) {
        switch event.kind {
        case .found, .changed:
            guard let item = event.item else { return }
            if items.updateValue(item, forKey: item.key) == nil { order.append(item.key) }
        case .lost:
            guard let key = event.item?.key, items.removeValue(forKey: key) != nil else { return }
            order.removeAll { $0 == key }
        case .settled: isSettled = true
        case .waiting: outage = event
        case .ready: outage = nil
        case .failed: break
        }
    }
}
