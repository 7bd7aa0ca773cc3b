import HostInterface

/// A browse that several members share.
struct SharedBrowse {
    /// The number that distinguishes browses of one request.
    let number: Int
    /// The items, each with its place in the order of discovery.
    private var items: [String: (item: BrowseItem, place: Int)] = [:]
    private var lastPlace = 0
    private var isSettled = false
    private var outage: BrowseEvent?
    private(set) var members: Set<Int> = []
    /// Consumes the underlying browse; cancelled when the last member leaves.
    var task: Task<Void, Never>?

    init(number: Int) {
        self.number = number
    }

    /// Adds a member, and returns its first events: all known items, then settled or the reason for waiting.
    mutating func join(_ member: Int) -> [BrowseEvent] {
        members.insert(member)
        var known = items.values.sorted { $0.place < $1.place }.map { BrowseEvent(.found, item: $0.item) }
        if let outage { known.append(outage) } else if isSettled { known.append(BrowseEvent(.settled)) }
        return known
    }

    mutating func leave(_ member: Int) {
        members.remove(member)
    }

    /// Records an event for later members.
    mutating func note(_ event: BrowseEvent) {
        switch event.kind {
        case .found, .changed:
            guard let item = event.item else { return }
            lastPlace += 1
            items[item.key] = (item, items[item.key]?.place ?? lastPlace)
        case .lost: if let key = event.item?.key { items[key] = nil }
        case .settled: isSettled = true
        case .waiting: outage = event
        case .ready: outage = nil
        case .failed: break
        }
    }
}
