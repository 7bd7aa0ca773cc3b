/// Which receivers the announced services are, kept over time: one for each identifier, whatever services it has.
package struct AirPlayCatalogue: Sendable {
    /// One announced and resolved service.
    package struct Sighting: Sendable, Hashable {
        package var record: AirPlayRecord
        /// Endpoints as text, in order of preference.
        package var endpoints: [String]

        package init(record: AirPlayRecord, endpoints: [String]) {
            self.record = record
            self.endpoints = endpoints
        }
    }

    package struct Receiver: Sendable, Hashable {
        package var facts: AirPlayReceiverFacts
        /// Of its audio service, where that can be used.
        package var audioEndpoints: [String]
        /// Of its control service, where it plays addresses.
        package var videoEndpoints: [String]

        /// All of them, those for audio first.
        package var endpoints: [String] {
            audioEndpoints + videoEndpoints.filter { !audioEndpoints.contains($0) }
        }
    }

    package enum Change: Sendable, Hashable {
        case found(Receiver)
        case updated(Receiver)
        case lost(Receiver)
    }

    /// Seconds that a new receiver's control service may take to be heard after its audio service. Whoever plays to it sooner
    /// would not have it play by itself.
    static let patience = 0.25

    private var receivers: [AirPlayIdentifier: Receiver] = [:]
    /// Seconds for which one that is not announced any more is no news. Longer than a look around stays good: one who looks again
    /// and again, for less than the patience each time, would never see what is awaited anew in each.
    static let memory = 60.0

    private var seen: [AirPlayIdentifier: (first: Double, last: Double)] = [:]
    private var awaited: Set<AirPlayIdentifier> = []
    private var known: [AirPlayIdentifier: AirPlayReceiverFacts.Obstacle] = [:]

    package init() {}

    /// Receivers that are seen and cannot be used, with the reason.
    package var unusable: [AirPlayIdentifier: AirPlayReceiverFacts.Obstacle] { known }

    /// When the next update is due although nothing new is announced; `nil` for none.
    package var nextUpdate: Double? { awaited.compactMap { seen[$0]?.first }.min().map { $0 + Self.patience } }

    /// Has everything found again by the next update.
    package mutating func findAgain() { receivers = [:] }

    /// Takes everything that is announced now; receivers that cannot be played to are left out.
    ///
    /// - Parameter now: Seconds of any clock that does not jump.
    /// - Returns: What changed, losses first, each kind in the order of identifiers.
    package mutating func update(_ sightings: [Sighting], at now: Double) -> [Change] {
        let usable = sightings.filter { !$0.endpoints.isEmpty }
        var current: [AirPlayIdentifier: Receiver] = [:]
        known = [:]
        seen = seen.filter { now - $0.value.last <= Self.memory }
        awaited = []
        for (identifier, group) in Dictionary(grouping: usable, by: \.record.identifier) {
            guard let facts = AirPlayReceiverFacts(Self.ordered(group).map(\.record)) else { continue }
            if let obstacle = facts.audioObstacle, !facts.playsAddresses {
                known[identifier] = obstacle
                continue
            }
            let first = seen[identifier]?.first ?? now
            seen[identifier] = (first, now)
            if receivers[identifier] == nil, now < first + Self.patience,
                !group.contains(where: { $0.record.service == .control })
            {
                awaited.insert(identifier)
                continue
            }
            func endpoints(_ service: AirPlayRecord.Service) -> [String] {
                Self.ordered(group).first { $0.record.service == service }?.endpoints ?? []
            }
            current[identifier] = Receiver(
                facts: facts, audioEndpoints: facts.audioObstacle == nil ? endpoints(.audio) : [],
                videoEndpoints: facts.playsAddresses ? endpoints(.control) : [])
        }
        defer { receivers = current }
        return changes(to: current)
    }

    /// Two services of one kind and identifier are a receiver whose name has just changed; the same one every time.
    private static func ordered(_ group: [Sighting]) -> [Sighting] { group.sorted { $0.record.name < $1.record.name } }

    private func changes(to current: [AirPlayIdentifier: Receiver]) -> [Change] {
        func sorted(_ receivers: some Sequence<Receiver>) -> [Receiver] {
            receivers.sorted { $0.facts.identifier < $1.facts.identifier }
        }
        let lost = receivers.filter { current[$0.key] == nil }.values
        let found = current.filter { receivers[$0.key] == nil }.values
        let updated = current.filter { receivers[$0.key] != nil && receivers[$0.key] != $0.value }.values
        return sorted(lost).map(Change.lost) + sorted(found).map(Change.found) + sorted(updated).map(Change.updated)
    }
}
