import HostInterface

/// The available devices and services: the sources' items, checked by tries.
///
/// A Bonjour service is reported after it answered, because the record of one that vanished is cached for more than an
/// hour. SSDP devices have just announced themselves, and are reported at once. An item that no longer answers is lost
/// to the readers, but kept here to be found again.
struct LiveDirectory: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// A user of a target.
    private enum Reference: Hashable {
        case item(BrowseRequest, key: String)
        case use(Int)
        /// A device that is only listed, and no browse stands for.
        case look(Int)
    }

    private struct Entry {
        /// The newest, with the last addresses known.
        var item: BrowseItem
        var target: ProbeTarget?
        var isTold: Bool
        /// The places that it left, where its device may still be listed; see ``ProbeTarget/maximumPlaces``.
        var left: Set<ProbeTarget.Place> = []
    }

    /// The meaning of a verdict, and its receiver.
    enum News: Sendable, Hashable {
        case browse(BrowseRequest, BrowseEvent)
        /// A device in use.
        case use(Int, isThere: Bool)
    }

    private(set) var schedule = LivenessSchedule<ProbeTarget>()
    private var entries: [BrowseRequest: [String: Entry]] = [:]
    private var references: [ProbeTarget: Set<Reference>] = [:]
    private var uses: [Int: ProbeTarget] = [:]
    /// The targets with an address and port.
    private var targets: [ProbeTarget.Place: Set<ProbeTarget>] = [:]

    init() {}

    /// A Boolean value that indicates whether there is nothing to watch.
    var isIdle: Bool { schedule.count == 0 }

    // MARK: Reports of the sources

    /// Returns the readers' events for an event of a source.
    ///
    /// - Parameter isHeard: `true` if the device itself just sent something; `nil` for the default of the kind of
    ///   source.
    mutating func apply(
        _ event: BrowseEvent, of request: BrowseRequest, isHeard: Bool? = nil, now: Instant
    ) -> [BrowseEvent] {
        guard let item = event.item else { return [event] }
        switch event.kind {
        case .found, .changed:
            let isHeard = isHeard ?? (request.kind == .ssdp)
            return see(item, of: request, isHeard: isHeard, now: now).map { [$0] } ?? []
        case .lost:
            guard let entry = entries[request]?.removeValue(forKey: item.key) else { return [] }
            if let target = entry.target { detach(.item(request, key: item.key), from: target) }
            return entry.isTold ? [BrowseEvent(.lost, item: entry.item)] : []
        case .settled, .waiting, .ready, .failed: return [event]
        }
    }

    private mutating func see(
        _ seen: BrowseItem, of request: BrowseRequest, isHeard: Bool, now: Instant
    ) -> BrowseEvent? {
        var item = seen
        let known = entries[request]?[item.key]
        if item.addresses.isEmpty, let known {
            // A failed resolution may be a lost packet; the tries decide whether the item is there.
            item.addresses = known.item.addresses
            if item.port == 0 { item.port = known.item.port }
        }
        let target = ProbeTarget(item)
        let reference = Reference.item(request, key: item.key)
        if known?.target != target {
            if let target {
                attach(reference, to: target, isProven: isHeard || known?.isTold == true, now: now)
            }
            if let old = known?.target { detach(reference, from: old) }
        }
        let wasTold = known?.isTold ?? false
        // Without a port it can't be tried, and without an address it can't be used.
        let isThere = target.map { schedule.isAlive($0) ?? false } ?? !item.addresses.isEmpty
        let left = (known?.left ?? []).union(known?.target?.places ?? []).subtracting(target?.places ?? [])
        entries[request, default: [:]][item.key] = Entry(
            item: item, target: target, isTold: isThere, left: Set(left.sorted().prefix(ProbeTarget.maximumPlaces)))
        // A device that announces itself may be back.
        if let target, !isThere { schedule.doubt(target, now: now) }
        guard isThere else { return wasTold ? BrowseEvent(.lost, item: item) : nil }
        guard known?.item != item || !wasTold else { return nil }
        return BrowseEvent(wasTold ? .changed : .found, item: item)
    }

    /// Removes the items of a request that is no longer read.
    mutating func end(_ request: BrowseRequest) {
        for (key, entry) in entries.removeValue(forKey: request) ?? [:] {
            if let target = entry.target { detach(.item(request, key: key), from: target) }
        }
    }

    // MARK: Items in use

    /// Watches a device, which counts as available until it doesn't answer.
    mutating func begin(use: Int, at target: ProbeTarget, isInUse: Bool = true, now: Instant) {
        uses[use] = target
        attach(isInUse ? .use(use) : .look(use), to: target, isProven: true, now: now)
    }

    mutating func end(use: Int) {
        guard let target = uses.removeValue(forKey: use) else { return }
        // It is one of the two.
        references[target]?.remove(.look(use))
        detach(.use(use), from: target)
    }

    /// Returns a Boolean value that indicates whether the target of a use answered the last time.
    func isThere(use: Int) -> Bool { uses[use].flatMap { schedule.isAlive($0) } ?? true }

    // MARK: Tries

    mutating func take(now: Instant) -> [LivenessSchedule<ProbeTarget>.Try] { schedule.take(now: now) }

    mutating func settle(
        _ number: Int, _ answer: LivenessSchedule<ProbeTarget>.Answer, now: Instant
    ) -> [News] {
        guard let (target, verdict) = schedule.settle(number, answer, now: now) else { return [] }
        return tell(verdict, of: target)
    }

    private mutating func tell(_ verdict: LivenessSchedule<ProbeTarget>.Verdict, of target: ProbeTarget) -> [News] {
        let isThere = verdict == .back
        var news: [News] = []
        for reference in references[target] ?? [] {
            switch reference {
            case .use(let use), .look(let use): news.append(.use(use, isThere: isThere))
            case .item(let request, let key):
                guard let entry = entries[request]?[key], entry.isTold != isThere else { continue }
                entries[request]?[key]?.isTold = isThere
                news.append(.browse(request, BrowseEvent(isThere ? .found : .lost, item: entry.item)))
            }
        }
        return news
    }

    // MARK: Checks

    /// Returns the target for one of some places, preferably an announced one.
    func target(at places: [ProbeTarget.Place]) -> ProbeTarget? {
        let known = places.lazy.flatMap { targets[$0] ?? [] }
        return known.first { !items(at: $0).isEmpty } ?? known.first
    }

    /// Notes the answer to a check; a target that did not answer is tried at once.
    mutating func checked(_ target: ProbeTarget, answered: Bool, now: Instant) -> [News] {
        guard answered else {
            schedule.doubt(target, now: now)
            return []
        }
        return schedule.answered(target, now: now).map { tell($0, of: target) } ?? []
    }

    mutating func hurry(now: Instant) { schedule.hurry(now: now) }

    /// Returns the items at a target, which determine how it can be checked.
    func items(at target: ProbeTarget) -> [(request: BrowseRequest, item: BrowseItem)] {
        (references[target] ?? []).compactMap { reference in
            guard case .item(let request, let key) = reference else { return nil }
            return entries[request]?[key].map { (request, $0.item) }
        }
    }

    /// Returns the former places of a target's items. A device that says goodbye at one address, and has no other, is
    /// listed with its former one.
    func formerPlaces(of target: ProbeTarget) -> Set<ProbeTarget.Place> {
        (references[target] ?? []).reduce(into: []) { places, reference in
            guard case .item(let request, let key) = reference else { return }
            places.formUnion(entries[request]?[key]?.left ?? [])
        }
    }

    // MARK: References

    private mutating func attach(_ reference: Reference, to target: ProbeTarget, isProven: Bool, now: Instant) {
        references[target, default: []].insert(reference)
        for place in target.places { targets[place, default: []].insert(target) }
        schedule.follow(target, for: need(of: target), isProven: isProven, now: now)
    }

    private mutating func detach(_ reference: Reference, from target: ProbeTarget) {
        references[target]?.remove(reference)
        if references[target]?.isEmpty != false {
            references[target] = nil
            for place in target.places {
                targets[place]?.remove(target)
                if targets[place]?.isEmpty == true { targets[place] = nil }
            }
            schedule.forget(target)
        } else {
            schedule.follow(target, for: need(of: target), isProven: true, now: .now)
        }
    }

    private func need(of target: ProbeTarget) -> LivenessSchedule<ProbeTarget>.Need {
        let isUsed = references[target]?.contains { if case .use = $0 { true } else { false } } ?? false
        return isUsed ? .inUse : .listed
    }
}
