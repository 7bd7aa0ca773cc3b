import HostInterface

/// The manually added items combined with those that a browse found.
///
/// An item that was both added and found, by its name or one of its addresses and ports, is reported once. A found item
/// whose name doesn't resolve gets the address of the added one.
struct ManualOverlay: Sendable {
    private var manual: [String: BrowseItem] = [:]
    private var found: [String: BrowseItem] = [:]
    /// Keys of manual items that are shown.
    private var shown: Set<String> = []

    init() {}

    var isEmpty: Bool { manual.isEmpty }

    /// Replaces the manual items.
    mutating func set(_ items: [BrowseItem]) -> [BrowseEvent] {
        let before = manual
        manual = Dictionary(items.map { ($0.key, $0) }) { first, _ in first }
        var events: [BrowseEvent] = []
        for (key, item) in found.sorted(by: { $0.key < $1.key }) where manual[key] != before[key] {
            let now = Self.placed(item, manual[key])
            if now != Self.placed(item, before[key]) { events.append(BrowseEvent(.changed, item: now)) }
        }
        for key in shown.sorted() where manual[key] == nil {
            shown.remove(key)
            if let item = before[key] { events.append(BrowseEvent(.lost, item: item)) }
        }
        for key in shown.sorted() where manual[key] != before[key] {
            if let item = manual[key] { events.append(BrowseEvent(.changed, item: item)) }
        }
        return events + reconcile()
    }

    /// Returns the events that result from an event of the browse.
    mutating func apply(_ event: BrowseEvent) -> [BrowseEvent] {
        guard let item = event.item else { return [event] }
        switch event.kind {
        case .found, .changed:
            found[item.key] = item
            let wasShown = shown.remove(item.key) != nil
            let placed = Self.placed(item, manual[item.key])
            return reconcile() + [BrowseEvent(wasShown ? .changed : event.kind, item: placed)]
        case .lost:
            found[item.key] = nil
            if let known = manual[item.key] {
                // It was withdrawn, or its name no longer resolves; tries decide whether it is there.
                shown.insert(item.key)
                return [BrowseEvent(.changed, item: known)]
            }
            return [event] + reconcile()
        case .settled, .waiting, .ready, .failed: return [event]
        }
    }

    /// Shows the manual items that nothing else stands for, and hides the others.
    private mutating func reconcile() -> [BrowseEvent] {
        guard !manual.isEmpty else { return [] }
        let places = Set(found.flatMap { Self.places(Self.placed($0.value, manual[$0.key])) })
        var events: [BrowseEvent] = []
        for (key, item) in manual.sorted(by: { $0.key < $1.key }) where found[key] == nil {
            let isCovered = Self.places(item).contains { places.contains($0) }
            if isCovered, shown.remove(key) != nil {
                events.append(BrowseEvent(.lost, item: item))
            } else if !isCovered, shown.insert(key).inserted {
                events.append(BrowseEvent(.found, item: item))
            }
        }
        return events
    }

    /// Returns the found item, with the added address if its name doesn't resolve. Some networks transmit announcements
    /// and cached names, but not the answers to queries.
    private static func placed(_ found: BrowseItem, _ manual: BrowseItem?) -> BrowseItem {
        guard found.addresses.isEmpty, let manual else { return found }
        var item = manual
        item.interfaces = found.interfaces
        return item
    }

    private static func places(_ item: BrowseItem) -> [ProbeTarget.Place] {
        item.addresses.map { ProbeTarget.Place(address: $0, port: item.port) }
    }
}
