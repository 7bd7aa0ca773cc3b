import HostInterface

/// The results of a browser, and the changes that its owner hasn't received.
struct BrowseResults<Item: Hashable & Sendable> {
    /// An item that was added, changed or removed since the last report.
    struct Change: Hashable, Sendable {
        /// The item before; `nil` if it was added.
        var old: Item?
        /// The item after; `nil` if it was removed.
        var new: Item?
    }

    /// All known items, including those that weren't reported yet.
    private var current: [String: Item] = [:]
    /// The items that the owner knows.
    private var told: [String: Item] = [:]
    /// The items of ``told``.
    private(set) var items: Set<Item> = []
    /// The keys that may have changed, in order.
    private var changed: [String] = []
    private let item: @Sendable (BrowseItem) -> Item?

    /// Creates empty results.
    ///
    /// - Parameter item: A function that converts the host's items; `nil` for a malformed or unwanted item.
    init(item: @escaping @Sendable (BrowseItem) -> Item?) { self.item = item }

    /// Applies an event. An event without an item changes nothing; a malformed item is removed.
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

    /// Returns the changes since the last call. An item that was added and removed since isn't a change.
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
