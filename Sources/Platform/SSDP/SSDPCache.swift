/// Everything devices have announced and not yet withdrawn: a state machine over advertisements and time.
///
/// Bounded against floods: ``maximumItems`` in all, ``maximumItemsPerSender`` from one address and ``maximumSightings``
/// for an item. Advertisements beyond the limits are refused and counted; known items stay.
package struct SSDPCache: Sendable {
    package static let maximumItems = 4_096
    package static let maximumItemsPerSender = 512
    package static let maximumSightings = 16

    private struct Key: Hashable {
        /// Lower case.
        let udn: String
        let kind: String
    }

    private struct Entry {
        var target: SSDPTarget
        var usn: String
        let udn: String
        /// Address that announced it first, charged for it.
        let owner: String
        /// At least one.
        var sightings: [SSDPSighting]
    }

    private var entries: [Key: Entry] = [:]
    private var itemsBySender: [String: Int] = [:]
    private var sightingCount = 0
    /// Advertisements that the bounds kept out.
    package private(set) var refused = 0

    package init() {}

    package var count: Int { entries.count }

    /// The items a browse for `target` starts with, in the order of their USN.
    package func items(matching target: SSDPTarget) -> [SSDPItem] {
        entries.values.filter { target.covers($0.target) }
            .compactMap { SSDPChange.found(Self.item($0)).seen(by: target)?.item }
            .sorted { $0.usn < $1.usn }
    }

    /// The time at which the next item or address expires; `nil` if the cache is empty.
    package var nextExpiry: ContinuousClock.Instant? {
        entries.values.lazy.flatMap(\.sightings).map(\.expires).min()
    }

    /// Adds an advertisement; `nil` if it changes nothing.
    package mutating func receive(
        _ advertisement: SSDPAdvertisement, from arrival: SSDPArrival, now: ContinuousClock.Instant
    ) -> SSDPChange? {
        let key = Key(udn: advertisement.udn.lowercased(), kind: advertisement.target.kind)
        guard let location = advertisement.location, advertisement.kind != .byebye else {
            return edit(key) { entry in Self.withdraw(arrival, from: &entry.sightings) }
        }
        guard entries[key] == nil else {
            sightingCount += 1
            let order = sightingCount
            var isRefused = false
            let change = edit(key) { entry in
                if advertisement.target.version > entry.target.version {
                    entry.target = advertisement.target
                    entry.usn = advertisement.usn
                }
                isRefused = !Self.see(advertisement, location, arrival, order: order, now: now, in: &entry.sightings)
            }
            if isRefused { refused += 1 }
            return change
        }
        guard entries.count < Self.maximumItems,
            itemsBySender[arrival.sender, default: 0] < Self.maximumItemsPerSender
        else {
            refused += 1
            return nil
        }
        sightingCount += 1
        let sighting = SSDPSighting(advertisement, location: location, arrival: arrival, order: sightingCount, now: now)
        let entry = Entry(
            target: advertisement.target, usn: advertisement.usn, udn: advertisement.udn, owner: arrival.sender,
            sightings: [sighting])
        entries[key] = entry
        itemsBySender[arrival.sender, default: 0] += 1
        return .found(Self.item(entry))
    }

    /// Drops items that were not refreshed in time.
    package mutating func expire(now: ContinuousClock.Instant) -> [SSDPChange] {
        drop { $0.expires <= now }
    }

    /// Drops items that were seen only on an interface that is gone.
    package mutating func forget(interface: String) -> [SSDPChange] {
        drop { $0.interface == interface }
    }

    /// Drops everything, without changes for readers.
    package mutating func removeAll() {
        entries.removeAll()
        itemsBySender.removeAll()
    }

    // MARK: Sightings

    /// Records a sighting and returns whether there was room.
    private static func see(
        _ advertisement: SSDPAdvertisement, _ location: LocationURL, _ arrival: SSDPArrival, order: Int,
        now: ContinuousClock.Instant, in sightings: inout [SSDPSighting]
    ) -> Bool {
        guard let index = sightings.firstIndex(where: { $0.isOn(arrival) && $0.host == location.host }) else {
            guard sightings.count < maximumSightings else { return false }
            let sighting = SSDPSighting(advertisement, location: location, arrival: arrival, order: order, now: now)
            sightings.append(sighting)
            return true
        }
        let previous = sightings[index].bootID
        sightings[index].refresh(advertisement, location: location, sender: arrival.sender, now: now)
        if advertisement.kind != .update, let previous, let current = advertisement.bootID, current != previous {
            // Other addresses of the life before are gone. Only those: a device may count per address.
            sightings.removeAll { $0.isOn(arrival) && $0.host != location.host && $0.bootID == previous }
        }
        return true
    }

    /// A byebye speaks for the address it comes from; from an unknown one for the whole interface and family.
    private static func withdraw(_ arrival: SSDPArrival, from sightings: inout [SSDPSighting]) {
        let isSame = { (sighting: SSDPSighting) in
            sighting.isOn(arrival) && (sighting.host == arrival.sender || sighting.sender == arrival.sender)
        }
        if sightings.contains(where: isSame) {
            sightings.removeAll(where: isSame)
        } else {
            sightings.removeAll { $0.isOn(arrival) }
        }
    }

    // MARK: Entries

    private mutating func edit(_ key: Key, _ body: (inout Entry) -> Void) -> SSDPChange? {
        guard var entry = entries[key] else { return nil }
        let before = Self.item(entry)
        body(&entry)
        guard !entry.sightings.isEmpty else {
            entries[key] = nil
            let left = itemsBySender[entry.owner, default: 1] - 1
            itemsBySender[entry.owner] = left > 0 ? left : nil
            return .lost(before)
        }
        entries[key] = entry
        let after = Self.item(entry)
        return after == before ? nil : .changed(after)
    }

    private mutating func drop(where isGone: (SSDPSighting) -> Bool) -> [SSDPChange] {
        let keys = entries.filter { $0.value.sightings.contains(where: isGone) }.keys
        return keys.compactMap { key in edit(key) { $0.sightings.removeAll(where: isGone) } }
    }

    private static func item(_ entry: Entry) -> SSDPItem {
        let preferred = entry.sightings.sorted { ($0.rank, -$0.order) < ($1.rank, -$1.order) }
        var addresses: [String] = []
        for sighting in preferred where !addresses.contains(sighting.address) { addresses.append(sighting.address) }
        let first = preferred[0]
        return SSDPItem(
            usn: entry.usn, udn: entry.udn, target: entry.target.text,
            location: first.location.scoped(to: first.interface), addresses: addresses,
            interfaces: Set(entry.sightings.map(\.interface)).sorted(), bootID: first.bootID, configID: first.configID,
            headers: first.headers)
    }
}
