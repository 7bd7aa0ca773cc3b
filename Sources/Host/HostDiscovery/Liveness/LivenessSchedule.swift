/// When each subject is tried, and what the answers say about it: a state machine over time and answers.
///
/// Tries of a subject overlap: while one waits for its answer the next begins, and a single answer to any of them is
/// enough. At most ``triesAtOnce`` are under way; those in use come first, then whoever waited longest.
struct LivenessSchedule<Subject: Hashable & Sendable>: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// Why somebody wants to know.
    enum Need: Int, Sendable, Comparable {
        case listed, inUse
        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    enum Answer: Sendable, Hashable {
        case answered
        /// The host says that nobody listens there.
        case refused
        case silent
        /// It could not be tried.
        case impossible
    }

    enum Verdict: Sendable, Hashable {
        case lost, back
    }

    struct Try: Sendable, Hashable {
        let number: Int
        let subject: Subject
        let limit: Duration
        /// An earlier try failed or waits: everything that may tell more should be asked.
        let isDoubt: Bool
        /// It is time to look whether the subject has moved.
        let wantsLookup: Bool
    }

    private enum Standing: Hashable {
        case alive
        /// Lost, or never proven to be there.
        case gone(since: Instant)
    }

    private struct Entry {
        var need: Need
        var standing: Standing
        var next: Instant
        /// Counts answers: what was tried before the last one says nothing any more.
        var epoch = 0
        /// Start of the first try since then that has no answer.
        var doubtedSince: Instant?
        var silences = 0
        var refusals = 0
        /// Tries since it is gone.
        var tries = 0
    }

    static var triesAtOnce: Int { 128 }

    private var entries: [Subject: Entry] = [:]
    private var open: [Int: (subject: Subject, epoch: Int)] = [:]
    private var lastNumber = 0
    /// Ascending over all entries, so that a subject made anew does not take over an earlier one's answers.
    private var lastEpoch = 0
    private var spread = 0.0

    init() {}

    var count: Int { entries.count }

    /// Whether the subject counts as there; `nil` for one that is not looked after.
    func isAlive(_ subject: Subject) -> Bool? { entries[subject].map { $0.standing == .alive } }

    /// When ``take(now:)`` has something; `nil` while it has not, whatever the time.
    var next: Instant? {
        open.count < Self.triesAtOnce ? entries.values.lazy.map(\.next).min() : nil
    }

    /// Looks after a subject from now on, or for another need.
    ///
    /// - Parameter isProven: Whether it was heard of just now. Anything else has to answer first.
    mutating func follow(_ subject: Subject, for need: Need, isProven: Bool, now: Instant) {
        if var entry = entries[subject] {
            if need > entry.need { entry.next = min(entry.next, now) }
            entry.need = need
            entries[subject] = entry
            return
        }
        lastEpoch += 1
        let rhythm = Self.rhythm(need)
        let first = isProven && need == .listed ? now + rhythm.interval * nextSpread() : now
        entries[subject] = Entry(
            need: need, standing: isProven ? .alive : .gone(since: now), next: first, epoch: lastEpoch)
    }

    /// The subject answered somebody who asked besides the schedule.
    mutating func answered(_ subject: Subject, now: Instant) -> Verdict? {
        guard let entry = entries[subject] else { return nil }
        lastEpoch += 1
        entries[subject] = Entry(
            need: entry.need, standing: .alive, next: now + Self.rhythm(entry.need).interval, epoch: lastEpoch)
        return entry.standing == .alive ? nil : .back
    }

    mutating func forget(_ subject: Subject) { entries[subject] = nil }

    /// Something happened that may have changed everything: each is tried soon, those in use at once.
    mutating func hurry(now: Instant) {
        for subject in entries.keys {
            let need = entries[subject]?.need
            let pause = need == .inUse ? .zero : LivenessRhythm.inUse.spacing * nextSpread()
            if let next = entries[subject]?.next, next > now + pause { entries[subject]?.next = now + pause }
        }
    }

    /// Somebody had trouble with it.
    mutating func doubt(_ subject: Subject, now: Instant) {
        if let next = entries[subject]?.next, next > now { entries[subject]?.next = now }
    }

    /// The tries to begin now.
    mutating func take(now: Instant) -> [Try] {
        let room = Self.triesAtOnce - open.count
        guard room > 0 else { return [] }
        let due = entries.filter { $0.value.next <= now }.sorted {
            ($1.value.need, $0.value.next) < ($0.value.need, $1.value.next)
        }
        return due.prefix(room).map { begin($0.key, $0.value, now: now) }
    }

    private mutating func begin(_ subject: Subject, _ entry: Entry, now: Instant) -> Try {
        var entry = entry
        let rhythm = Self.rhythm(entry.need)
        let isDoubt: Bool
        var wantsLookup = false
        switch entry.standing {
        case .alive:
            isDoubt = entry.doubtedSince != nil
            wantsLookup = isDoubt && entry.silences + entry.refusals == 0
            entry.doubtedSince = entry.doubtedSince ?? now
            entry.next = now + rhythm.spacing
        case .gone(let since):
            entry.tries += 1
            wantsLookup = entry.tries % LivenessRhythm.triesPerLookup == 0
            // A connection is what it is wanted for; other questions only keep sockets open.
            isDoubt = entry.tries == 1 || wantsLookup
            let pause = LivenessRhythm.goneSpacing
            let isLate = entry.need == .listed && since.duration(to: now) > pause.after
            entry.next = now + (isLate ? pause.late : pause.early)
        }
        entries[subject] = entry
        lastNumber += 1
        open[lastNumber] = (subject, entry.epoch)
        return Try(
            number: lastNumber, subject: subject, limit: rhythm.limit, isDoubt: isDoubt, wantsLookup: wantsLookup)
    }

    /// A try is over; each has to be, once.
    mutating func settle(_ number: Int, _ answer: Answer, now: Instant) -> (subject: Subject, verdict: Verdict)? {
        guard let (subject, epoch) = open.removeValue(forKey: number), var entry = entries[subject],
            entry.epoch == epoch
        else { return nil }
        if answer == .answered { return answered(subject, now: now).map { (subject, $0) } }
        defer { entries[subject] = entry }
        let rhythm = Self.rhythm(entry.need)
        let wasGone = entry.standing != .alive
        switch answer {
        case .answered: return nil
        case .impossible: return nil
        case .refused: entry.refusals += 1
        case .silent: entry.silences += 1
        }
        guard !wasGone, let since = entry.doubtedSince else { return nil }
        let doubted = since.duration(to: now)
        let isSilent = entry.silences >= rhythm.failures && doubted >= rhythm.patience
        let refusals = LivenessRhythm.refusals
        let isRefused = entry.silences + entry.refusals >= refusals.failures && doubted >= refusals.patience
        guard isSilent || isRefused else { return nil }
        entry.standing = .gone(since: now)
        entry.doubtedSince = nil
        return (subject, .lost)
    }

    private static func rhythm(_ need: Need) -> LivenessRhythm { need == .inUse ? .inUse : .listed }

    /// 0…1, as far as can be from the ones before (the golden ratio's fractional parts).
    private mutating func nextSpread() -> Double {
        spread = (spread + 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
        return spread
    }
}
