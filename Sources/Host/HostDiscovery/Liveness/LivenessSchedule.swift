/// The schedule of tries for each subject and the verdicts from their answers, as a state machine.
///
/// Tries of a subject overlap: the next begins while one waits for its answer, and a single answer to any of them is
/// enough. At most ``triesAtOnce`` run at a time; subjects in use come first, then the longest waiting.
struct LivenessSchedule<Subject: Hashable & Sendable>: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// The reason for watching a subject.
    enum Need: Int, Sendable, Comparable {
        case listed, inUse
        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    enum Answer: Sendable, Hashable {
        case answered
        /// The host refused the connection.
        case refused
        case silent
        /// The subject couldn't be tried.
        case impossible
    }

    enum Verdict: Sendable, Hashable {
        case lost, back
    }

    struct Try: Sendable, Hashable {
        let number: Int
        let subject: Subject
        let limit: Duration
        /// A Boolean value that indicates whether an earlier try failed or is waiting, so that every way of checking
        /// should be used.
        let isDoubt: Bool
        /// The subject is listed and answered the last try, so that nobody waits for this answer.
        let isRoutine: Bool
        /// The subject left the first try since its last answer without one.
        let beginsDoubt: Bool
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
        /// The number of answers. Tries before the last one are ignored.
        var epoch = 0
        /// The start of the first unanswered try since the last answer.
        var doubtedSince: Instant?
        var silences = 0
        var refusals = 0
        /// Tries since the last answer, or since it is gone.
        var tries = 0
    }

    static var triesAtOnce: Int { 128 }
    /// The number of tries that may begin together because one of them is due, so that a few devices wake the processor
    /// once and many aren't asked at the same moment.
    static var triesTogether: Int { 16 }

    private var entries: [Subject: Entry] = [:]
    private var open: [Int: (subject: Subject, epoch: Int)] = [:]
    private var lastNumber = 0
    /// The last epoch of all entries, so that a new subject doesn't inherit answers of an earlier one.
    private var lastEpoch = 0
    private var spread = 0.0

    init() {}

    var count: Int { entries.count }

    /// Returns a Boolean value that indicates whether a subject counts as available; `nil` if it isn't watched.
    func isAlive(_ subject: Subject) -> Bool? { entries[subject].map { $0.standing == .alive } }

    /// The time at which ``take(now:)`` has a try; `nil` for none.
    var next: Instant? {
        open.count < Self.triesAtOnce ? entries.values.lazy.map(\.next).min() : nil
    }

    /// Follows a subject, or changes its need.
    ///
    /// - Parameter isProven: `true` if the subject has just been seen. Any other subject has to answer first.
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

    /// Records that the subject answered a question outside the schedule.
    mutating func answered(_ subject: Subject, now: Instant) -> Verdict? {
        guard let entry = entries[subject] else { return nil }
        lastEpoch += 1
        entries[subject] = Entry(
            need: entry.need, standing: .alive, next: now + Self.rhythm(entry.need).interval, epoch: lastEpoch)
        return entry.standing == .alive ? nil : .back
    }

    mutating func forget(_ subject: Subject) { entries[subject] = nil }

    /// Advances all tries after an event that may have changed every device, such as a change of network. Subjects in
    /// use are tried at once.
    mutating func hurry(now: Instant) {
        for subject in entries.keys {
            let need = entries[subject]?.need
            let pause = need == .inUse ? .zero : LivenessRhythm.inUse.spacing * nextSpread()
            if let next = entries[subject]?.next, next > now + pause { entries[subject]?.next = now + pause }
        }
    }

    /// Advances the next try of a subject after a failure elsewhere.
    mutating func doubt(_ subject: Subject, now: Instant) {
        if let next = entries[subject]?.next, next > now { entries[subject]?.next = now }
    }

    /// Returns the tries to begin now.
    mutating func take(now: Instant) -> [Try] {
        let room = Self.triesAtOnce - open.count
        guard room > 0 else { return [] }
        var due = entries.filter { $0.value.next <= now }.sorted {
            ($1.value.need, $0.value.next) < ($0.value.need, $1.value.next)
        }
        if !due.isEmpty, due.count < Self.triesTogether {
            let early = entries.filter { now < $0.value.next && canBeEarly($0.value, now: now) }
            due += early.sorted { $0.value.next < $1.value.next }.prefix(Self.triesTogether - due.count)
        }
        return due.prefix(room).map { begin($0.key, $0.value, now: now) }
    }

    /// Returns whether a regular try may begin up to half its interval early.
    private func canBeEarly(_ entry: Entry, now: Instant) -> Bool {
        entry.need == .listed && entry.standing == .alive && entry.doubtedSince == nil
            && now.duration(to: entry.next) <= LivenessRhythm.listed.interval / 2
    }

    private mutating func begin(_ subject: Subject, _ entry: Entry, now: Instant) -> Try {
        var entry = entry
        let rhythm = Self.rhythm(entry.need)
        let isDoubt: Bool
        var beginsDoubt = false
        var wantsLookup = false
        let isRoutine = entry.need == .listed && entry.standing == .alive && entry.doubtedSince == nil
        entry.tries += 1
        switch entry.standing {
        case .alive:
            isDoubt = entry.doubtedSince != nil
            beginsDoubt = entry.tries == 2
            wantsLookup = isDoubt && entry.silences + entry.refusals == 0
            entry.doubtedSince = entry.doubtedSince ?? now
            entry.next = now + rhythm.spacing
        case .gone(let since):
            wantsLookup = entry.tries % LivenessRhythm.triesPerLookup == 0
            // A connection is useful by itself; other questions only keep sockets open.
            isDoubt = entry.tries == 1 || wantsLookup
            let pause = LivenessRhythm.goneSpacing
            let isLate = entry.need == .listed && since.duration(to: now) > pause.after
            entry.next = now + (isLate ? pause.late : pause.early)
        }
        entries[subject] = entry
        lastNumber += 1
        open[lastNumber] = (subject, entry.epoch)
        return Try(
            number: lastNumber, subject: subject, limit: rhythm.limit, isDoubt: isDoubt, isRoutine: isRoutine,
            beginsDoubt: beginsDoubt, wantsLookup: wantsLookup)
    }

    /// Ends a try. Call this method exactly once for each try.
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
        entry.tries = 0
        return (subject, .lost)
    }

    private static func rhythm(_ need: Need) -> LivenessRhythm { need == .inUse ? .inUse : .listed }

    /// 0…1, as far as can be from the ones before (the golden ratio's fractional parts).
    private mutating func nextSpread() -> Double {
        spread = (spread + 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
        return spread
    }
}
