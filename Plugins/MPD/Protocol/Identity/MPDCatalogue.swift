/// Which servers the announced services are, kept over time: one server per identity, however often it restarts.
///
/// A restarted server is announced under a new process number, at times beside its old announcement; both are the same
/// server. Where the host's name is not known, two services of one name that share no address are two servers: the one
/// seen first has the plain identity, the other one the announced name in its place.
package struct MPDCatalogue: Sendable {
    /// One announced and resolved service.
    package struct Sighting: Sendable, Hashable {
        /// DNS-SD instance name as announced.
        package var service: String
        /// Empty where it is not known.
        package var host: String
        package var port: Int
        /// Endpoints as text, in order of preference.
        package var endpoints: [String]

        package init(service: String, host: String, port: Int, endpoints: [String]) {
            self.service = service
            self.host = host
            self.port = port
            self.endpoints = endpoints
        }
    }

    package struct Server: Sendable, Hashable {
        /// What the device's identifier is made from.
        package var stableText: String
        package var name: String
        package var endpoints: [String]

        package init(stableText: String, name: String, endpoints: [String]) {
            self.stableText = stableText
            self.name = name
            self.endpoints = endpoints
        }
    }

    package enum Change: Sendable, Hashable {
        case found(Server)
        /// Its name or its endpoints are others.
        case updated(Server)
        case lost(Server)
    }

    /// To be kept for the next run.
    package private(set) var places: MPDPlaces
    private var identities: [String: MPDIdentity] = [:]
    /// What each service is called now, for the names people see, and which came later.
    private var labels: [String: (identity: MPDIdentity, number: Int)] = [:]
    private var lastNumber = 0
    private var servers: [MPDIdentity: Server] = [:]

    package init(places: MPDPlaces = MPDPlaces()) { self.places = places }

    /// Takes everything that is announced now; services without an endpoint are not ready and left out.
    ///
    /// - Returns: What changed, losses first, each kind in the order of the servers' identities.
    package mutating func update(_ sightings: [Sighting]) -> [Change] {
        let usable = sightings.filter { !$0.endpoints.isEmpty }.sorted { $0.service < $1.service }
        assignIdentities(usable)
        let groups = Dictionary(grouping: usable) { identities[$0.service] }
        let newest = groups.compactMapValues { group in
            group.compactMap { labels[$0.service] }.max { $0.number < $1.number }?.identity
        }
        let names = MPDIdentity.displayNames(Set(newest.values))
        var current: [MPDIdentity: Server] = [:]
        for case (let identity?, let group) in groups {
            var endpoints: [String] = []
            for endpoint in group.flatMap(\.endpoints) where !endpoints.contains(endpoint) {
                endpoints.append(endpoint)
            }
            let label = newest[identity] ?? identity
            current[identity] = Server(
                stableText: identity.stableText, name: names[label] ?? label.name, endpoints: endpoints)
        }
        defer { servers = current }
        return changes(to: current)
    }

    private func changes(to current: [MPDIdentity: Server]) -> [Change] {
        func sorted(_ servers: some Sequence<Server>) -> [Server] { servers.sorted { $0.stableText < $1.stableText } }
        let lost = servers.filter { current[$0.key] == nil }.values
        let found = current.filter { servers[$0.key] == nil }.values
        let updated = current.filter { servers[$0.key] != nil && servers[$0.key] != $0.value }.values
        return sorted(lost).map(Change.lost) + sorted(found).map(Change.found) + sorted(updated).map(Change.updated)
    }

    /// Gives every service its identity; one that has one keeps it as long as it is announced.
    private mutating func assignIdentities(_ sightings: [Sighting]) {
        let announced = Set(sightings.map(\.service))
        identities = identities.filter { announced.contains($0.key) }
        labels = labels.filter { announced.contains($0.key) }
        let announcements = sightings.map { MPDIdentity(service: $0.service, host: $0.host, port: $0.port) }
        for sighting in sightings where identities[sighting.service] == nil {
            let plain = MPDIdentity(service: sighting.service, host: sighting.host, port: sighting.port)
            lastNumber += 1
            labels[sighting.service] = (plain, lastNumber)
            guard plain.host.isEmpty else {
                identities[sighting.service] = places.resident(plain, among: announcements)
                continue
            }
            let holders = sightings.filter { identities[$0.service] == plain }
            let isSameServer =
                holders.isEmpty || holders.contains { !Set($0.endpoints).isDisjoint(with: sighting.endpoints) }
            let identity = isSameServer ? plain : MPDIdentity(announced: sighting.service, port: sighting.port)
            identities[sighting.service] = identity
            labels[sighting.service]?.identity = identity
        }
    }
}
