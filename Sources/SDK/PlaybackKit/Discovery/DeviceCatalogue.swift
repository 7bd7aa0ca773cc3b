public import MediaDevice

/// A change of the devices in reach.
public enum DeviceChange: Sendable {
    /// A device was discovered.
    case found(MediaOutputDevice)
    /// A known device has changed.
    case updated(MediaOutputDevice)
    /// A device is gone.
    case lost(MediaOutputDevice)
}

/// The devices that the current announcements describe.
///
/// A value without I/O: it receives the announcements of each source and returns the changes.
struct DeviceCatalogue {
    private let sources: [SightingSource]
    private var seen: [SightingSource: Set<Sighting>] = [:]
    private var known: [String: MediaOutputDevice] = [:]

    init(sources: [SightingSource]) { self.sources = sources }

    /// Replaces the announcements of one source.
    ///
    /// - Parameters:
    ///   - identities: Returns the identities of all announcements. Those without one are ignored.
    ///   - device: Returns the device for the announcements of one identity; `nil` as long as too little is known.
    /// - Returns: The changes: losses first, then the others in the order of the identities.
    mutating func update(
        _ source: SightingSource, _ sightings: Set<Sighting>, identities: ([Sighting]) -> [Sighting: String],
        device: (String, [Sighting]) -> MediaOutputDevice?
    ) -> [DeviceChange] {
        guard seen[source] != sightings else { return [] }
        seen[source] = sightings
        let all = sources.flatMap { source in (seen[source] ?? []).sorted { $0.name < $1.name } }
        let identities = identities(all)
        var groups: [String: [Sighting]] = [:]
        for sighting in all {
            if let identity = identities[sighting] { groups[identity, default: []].append(sighting) }
        }
        var changes: [DeviceChange] = []
        for (identity, device) in known where groups[identity] == nil {
            known[identity] = nil
            changes.append(.lost(device))
        }
        for (identity, sightings) in groups.sorted(by: { $0.key < $1.key }) {
            // A known device keeps its state until its new state can be determined.
            guard let new = device(identity, sightings) else { continue }
            let old = known.updateValue(new, forKey: identity)
            if let old {
                if !new.isDescribed(like: old) { changes.append(.updated(new)) }
            } else {
                changes.append(.found(new))
            }
        }
        return changes
    }

    /// All known devices, for a discovery that starts.
    var devices: [MediaOutputDevice] { Array(known.values) }
}

extension MediaOutputDevice {
    /// Returns a Boolean value that indicates whether all attributes are equal. Devices are equal by their identifiers
    /// alone.
    fileprivate func isDescribed(like other: MediaOutputDevice) -> Bool {
        id == other.id && displayName == other.displayName && networkEndpoints == other.networkEndpoints
            && capabilities == other.capabilities && deviceType == other.deviceType
            && volumeControl == other.volumeControl && canMute == other.canMute && txtRecords == other.txtRecords
            && deduplicationIdentifiers == other.deduplicationIdentifiers
            && liveStreamFormat == other.liveStreamFormat && leastLatency == other.leastLatency
            && usualLatency == other.usualLatency
            && canGroupWithCurrentlyActivatedDevices == other.canGroupWithCurrentlyActivatedDevices
            && supportsSimultaneousSessions == other.supportsSimultaneousSessions
    }
}
