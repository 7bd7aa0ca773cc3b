/// The receivers that the announced services describe: one for each identifier, with any combination of services.
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
        /// The endpoints of the audio service, if it can be used.
        package var audioEndpoints: [String]
        /// The endpoints of the control service, if it plays URLs.
        package var videoEndpoints: [String]

        /// All endpoints, those for audio first.
        package var endpoints: [String] {
            audioEndpoints + videoEndpoints.filter { !audioEndpoints.contains($0) }
        }
    }

    package enum Change: Sendable, Hashable {
        case found(Receiver)
        case updated(Receiver)
        case lost(Receiver)
    }

    /// The seconds for which the control service of a new receiver may follow its audio service. Without it, the
    /// receiver couldn't play URLs.
    static let patience = 0.25

    private var receivers: [AirPlayIdentifier: Receiver] = [:]
    /// The seconds for which a receiver that is no longer announced isn't new. It exceeds the duration of a discovery;
    /// otherwise repeated short discoveries would never complete a receiver.
    static let memory = 60.0

    private var seen: [AirPlayIdentifier: (first: Double, last: Double)] = [:]
    private var awaited: Set<AirPlayIdentifier> = []
    private var known: [AirPlayIdentifier: AirPlayReceiverFacts.Obstacle] = [:]

    package init() {}

    /// The discovered receivers that can't be used, with the reason.
    package var unusable: [AirPlayIdentifier: AirPlayReceiverFacts.Obstacle] { known }

    /// The time of the next update without new announcements; `nil` for none.
    package var nextUpdate: Double? { awaited.compactMap { seen[$0]?.first }.min().map { $0 + Self.patience } }

    /// Makes the next update report all receivers again.
    package mutating func findAgain() { receivers = [:] }

    /// Replaces the announced services. Receivers that can't be used are omitted.
    ///
    /// - Parameters:
    ///   - sightings: All announced services.
    ///   - now: Seconds of any clock that doesn't jump.
    /// - Returns: The changes, losses first, each kind in the order of identifiers.
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

    /// Returns sightings in a stable order. Two services of one kind and identifier belong to a receiver whose name has
    /// just changed.
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
