/// Decides which rows have a resolver: a few unanswered ones at a time, and a bounded number of kept ones.
///
/// avahi-daemon refuses a client's 1,025th object. Rows beyond ``keptLimit`` take turns: a waiting row takes the place
/// of the row that answered longest ago, which keeps its last answer but is no longer watched for changes.
struct ResolverQueue<Key: Hashable & Sendable> {
    /// A resolver to create, after freeing another one where that is given.
    struct Start: Equatable {
        let key: Key
        let displaced: Key?
    }

    private enum State {
        case waiting, asked
        case kept(since: Int)
    }

    let askedLimit: Int
    let keptLimit: Int
    private var states: [Key: State] = [:]
    /// May hold keys that were removed or started meanwhile; ``states`` decides.
    private var line: ArraySlice<Key> = []
    /// Answered rows, the one with the oldest last answer first; outdated entries as in ``line``.
    private var keptLine: ArraySlice<(key: Key, since: Int)> = []
    private var asked = 0
    private var kept = 0
    private var waiting = 0
    private var answers = 0

    init(askedLimit: Int, keptLimit: Int) {
        self.askedLimit = askedLimit
        self.keptLimit = keptLimit
    }

    var waitingCount: Int { waiting }

    mutating func enqueue(_ key: Key) {
        guard states[key] == nil else { return }
        states[key] = .waiting
        waiting += 1
        line.append(key)
    }

    mutating func remove(_ key: Key) {
        switch states.removeValue(forKey: key) {
        case .waiting: waiting -= 1
        case .asked: asked -= 1
        case .kept: kept -= 1
        case nil: break
        }
    }

    mutating func removeAll() {
        self = Self(askedLimit: askedLimit, keptLimit: keptLimit)
    }

    /// The resolver of the row answered or gave up; it stays.
    mutating func answered(_ key: Key) {
        switch states[key] {
        case .asked:
            asked -= 1
            kept += 1
        case .kept: break
        case .waiting, nil: return
        }
        answers += 1
        states[key] = .kept(since: answers)
        keptLine.append((key, answers))
        if keptLine.count > 2 * keptLimit { keptLine = ArraySlice(keptLine.filter(isCurrent)) }
    }

    /// The next resolver to create; `nil` while the limits are reached or nothing waits.
    mutating func next() -> Start? {
        guard asked < askedLimit, let key = popWaiting() else { return nil }
        var displaced: Key?
        if asked + kept >= keptLimit {
            displaced = oldestKept()
            if let displaced { remove(displaced) }
        }
        states[key] = .asked
        waiting -= 1
        asked += 1
        return Start(key: key, displaced: displaced)
    }

    private mutating func popWaiting() -> Key? {
        while let key = line.popFirst() {
            if case .waiting = states[key] { return key }
        }
        return nil
    }

    private mutating func oldestKept() -> Key? {
        while let oldest = keptLine.popFirst() {
            if isCurrent(oldest) { return oldest.key }
        }
        return nil
    }

    private func isCurrent(_ entry: (key: Key, since: Int)) -> Bool {
        if case .kept(entry.since) = states[entry.key] { true } else { false }
    }
}
