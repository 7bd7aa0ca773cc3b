import MediaDevice

/// The devices that the present sightings amount to. A value without I/O: it is told what each source sees now, and says
/// what changed.
struct DeviceCatalogue {
    enum Change {
        case found(MediaOutputDevice)
        case updated(MediaOutputDevice)
        case lost(MediaOutputDevice)
    }

    private struct Entry {
        var sightings: [Sighting]
        var device: MediaOutputDevice?
    }

    private let sources: [SightingSource]
    private var seen: [SightingSource: Set<Sighting>] = [:]
    private var entries: [String: Entry] = [:]

    init(sources: [SightingSource]) { self.sources = sources }

    /// Takes everything that one source sees now.
    ///
    /// - Parameters:
    ///   - identity: The identity of a sighting; `nil` leaves it out.
    ///   - device: The device for sightings of one identity; `nil` while too little is known.
    mutating func update(
        _ source: SightingSource, _ sightings: Set<Sighting>, identity: (Sighting) -> String?,
        device: (String, [Sighting]) -> MediaOutputDevice?
    ) -> [Change] {
        guard seen[source] != sightings else { return [] }
        seen[source] = sightings
        let groups = grouped(by: identity)
        var changes: [Change] = []
        for (key, entry) in entries where groups[key] == nil {
            entries[key] = nil
            if let gone = entry.device { changes.append(.lost(gone)) }
        }
        for (key, sightings) in groups where entries[key]?.sightings != sightings {
            let known = entries[key]?.device
            let made = device(key, sightings)
            // A device that is known stays what it was while its new state cannot be told.
            entries[key] = Entry(sightings: sightings, device: made ?? known)
            if let made { changes.append(known == nil ? .found(made) : .updated(made)) }
        }
        return changes
    }

    /// Every device known now, for somebody who begins to look.
    var devices: [MediaOutputDevice] { entries.values.compactMap(\.device) }

    private func grouped(by identity: (Sighting) -> String?) -> [String: [Sighting]] {
        var groups: [String: [Sighting]] = [:]
        for source in sources {
            for sighting in (seen[source] ?? []).sorted(by: { $0.name < $1.name }) {
                if let key = identity(sighting) { groups[key, default: []].append(sighting) }
            }
        }
        return groups
    }
}
