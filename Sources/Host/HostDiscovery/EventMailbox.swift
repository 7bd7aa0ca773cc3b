import HostInterface

/// The unread events of a reader, at most one per item. A slow reader gets fewer and newer events, but never a gap, and
/// the number of items bounds the memory.
struct EventMailbox {
    /// The items that the reader knows. Only those can be lost to it.
    private var told: [String: BrowseItem] = [:]
    /// `nil`: to be reported as lost.
    private var pending: [String: BrowseItem?] = [:]
    /// Keys of ``pending`` in the order of their first event.
    private var order: ArraySlice<String> = []
    /// The events settled, waiting, ready and failed, at most one of each, after the items.
    private var states: [BrowseEvent] = []

    init() {}

    var isEmpty: Bool { order.isEmpty && states.isEmpty }

    mutating func put(_ event: BrowseEvent) {
        guard let item = event.item else {
            let isWaitingUntold = states.contains { $0.kind == .waiting }
            states.removeAll { $0.kind == event.kind || (event.kind == .ready && $0.kind == .waiting) }
            // A reader that hasn't received `waiting` doesn't need `ready`.
            if event.kind != .ready || !isWaitingUntold { states.append(event) }
            return
        }
        let key = item.key
        if pending[key] == nil { order.append(key) }
        pending[key] = .some(event.kind == .lost ? nil : item)
    }

    /// Returns the next events, at most `limit`; an empty array if there are none.
    mutating func take(atMost limit: Int) -> [BrowseEvent] {
        var events: [BrowseEvent] = []
        while events.count < limit, let event = take() { events.append(event) }
        return events
    }

    /// Returns the next event; `nil` if there is none.
    mutating func take() -> BrowseEvent? {
        while let key = order.popFirst() {
            guard let news = pending.removeValue(forKey: key) else { continue }
            switch (told[key], news) {
            case (nil, let item?):
                told[key] = item
                return BrowseEvent(.found, item: item)
            case (let known?, let item?) where known != item:
                told[key] = item
                return BrowseEvent(.changed, item: item)
            case (let known?, nil):
                told[key] = nil
                return BrowseEvent(.lost, item: known)
            default: continue
            }
        }
        return states.isEmpty ? nil : states.removeFirst()
    }
}
