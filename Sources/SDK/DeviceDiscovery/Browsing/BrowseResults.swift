import HostInterface

/// What a browser knows, and what of it its owner has not been told.
struct BrowseResults<Item: Hashable & Sendable> {
    /// One item that came, changed or went since the last telling.
    struct Change: Hashable, Sendable {
        /// `nil` if it came.
        var old: Item?
        /// `nil` if it went.
        var new: Item?
    }

    /// Everything known now, also what was not told yet.
    private var current: [String: Item] = [:]
    /// What the owner was told.
    private var told: [String: Item] = [:]
    /// All of ``told``.
    private(set) var items: Set<Item> = []
    /// Keys that may differ, in the order they changed.
    private var changed: [String] = []
    private let item: @Sendable (BrowseItem) -> Item?

    /// - Parameter item: Reads what the host sends; `nil` for an item that is malformed or not wanted.
    init(item: @escaping @Sendable (BrowseItem) -> Item?) { self.item = item }

    /// Takes an event in; one without an item, or with a malformed one, changes nothing but that item.
    mutating func apply(_ event: BrowseEvent) {
        guard let sighting = event.item else { return }
        let key = sighting.key
        switch event.kind {
        case .found, .changed: set(item(sighting), for: key)
        case .lost: set(nil, for: key)
        case .settled, .waiting, .ready, .failed: break
        }
    }

    private mutating func set(_ item: Item?, for key: String) {
        guard current[key] != item else { return }
        current[key] = item
        changed.append(key)
    }

    /// What came, changed or went since the last call; an item that came and went again is no change.
    mutating func takeChanges() -> [Change] {
        var changes: [Change] = []
        for key in changed {
            let (old, new) = (told[key], current[key])
            guard old != new else { continue }
            if let old { items.remove(old) }
            if let new { items.insert(new) }
            told[key] = new
            changes.append(Change(old: old, new: new))
        }
        changed.removeAll()
        return changes
    }
}
