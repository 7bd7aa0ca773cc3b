public import PlaybackKit

/// The servers behind the announced services, kept over time: one identity per server, however often it restarts.
///
/// A restarted server is announced under a new process number, at times beside its old announcement; both are the same
/// server. If the host's name is unknown, two services of one name that share no address are two servers: the one seen
/// first has the plain identity, and the other one has the announced name instead.
public struct MPDCatalogue: Sendable {
    /// To be kept for the next run.
    public private(set) var places: MPDPlaces
    /// The names that people see, by identity.
    public private(set) var names: [String: String] = [:]
    private var identities: [String: MPDIdentity] = [:]
    /// The current identity of each service, for displayed names, and its order of arrival.
    private var labels: [String: (identity: MPDIdentity, number: Int)] = [:]
    private var lastNumber = 0

    public init(places: MPDPlaces = MPDPlaces()) { self.places = places }

    /// Takes everything that is announced now.
    ///
    /// - Returns: The text that a device's identifier is made from, for each service with an address.
    public mutating func identities(of sightings: [Sighting]) -> [Sighting: String] {
        let announced = sightings.filter { $0.port != nil }.sorted { $0.name < $1.name }
        assignIdentities(announced)
        let groups = Dictionary(grouping: announced) { identities[$0.name] }
        let newest = groups.compactMapValues { group in
            group.compactMap { labels[$0.name] }.max { $0.number < $1.number }?.identity
        }
        let shown = MPDIdentity.displayNames(Set(newest.values))
        names = [:]
        for case (let identity?, let label) in newest { names[identity.stableText] = shown[label] ?? label.name }
        var texts: [Sighting: String] = [:]
        for sighting in announced { texts[sighting] = identities[sighting.name]?.stableText }
        return texts
    }

    /// Assigns an identity to every service. A service keeps it as long as it is announced.
    private mutating func assignIdentities(_ sightings: [Sighting]) {
        let announced = Set(sightings.map(\.name))
        identities = identities.filter { announced.contains($0.key) }
        labels = labels.filter { announced.contains($0.key) }
        let announcements = sightings.map(MPDIdentity.init)
        for (sighting, plain) in zip(sightings, announcements) where identities[sighting.name] == nil {
            lastNumber += 1
            labels[sighting.name] = (plain, lastNumber)
            guard plain.host.isEmpty else {
                identities[sighting.name] = places.resident(plain, among: announcements)
                continue
            }
            let holders = sightings.filter { identities[$0.name] == plain }
            let isSameServer =
                holders.isEmpty || holders.contains { !Set($0.endpoints).isDisjoint(with: sighting.endpoints) }
            let identity = isSameServer ? plain : MPDIdentity(announced: sighting.name, port: plain.port)
            identities[sighting.name] = identity
            labels[sighting.name]?.identity = identity
        }
    }
}

extension MPDIdentity {
    fileprivate init(_ sighting: Sighting) {
        self.init(service: sighting.name, host: sighting.hostName ?? "", port: sighting.port ?? 0)
    }
}

extension Sighting {
    /// `nil` while its addresses are not known.
    fileprivate var port: Int? {
        if case .hostPort(_, let port)? = endpoints.first { Int(port.rawValue) } else { nil }
    }
}
