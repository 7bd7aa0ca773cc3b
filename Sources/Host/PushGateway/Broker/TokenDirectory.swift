import PushInterface

/// What a gateway has been told about tokens since it is connected: a value.
///
/// It mirrors retained messages of the broker for the tokens that were asked for, and knows of each whether it has all.
struct TokenDirectory {
    enum Finding: Hashable {
        /// Nobody gave it away.
        case unknown
        /// It was replaced, or its session is over: seconds since 1970.
        case retired(since: Int64)
        case holds(host: String, PushRegistration)
        /// Several hosts say it is theirs: one of them lies.
        case contested
    }

    private struct Entry {
        var registrations: [String: PushRegistration] = [:]
        var isComplete = false
        var lastUse: UInt64
    }

    /// How many tokens are followed at once.
    private let limit: Int
    private var entries: [String: Entry] = [:]
    private var uses: UInt64 = 0

    init(limit: Int = 65_536) { self.limit = limit }

    var count: Int { entries.count }

    /// - Returns: `nil` while it is not known.
    mutating func finding(_ token: String) -> Finding? {
        guard let entry = entries[token], entry.isComplete else { return nil }
        uses += 1
        entries[token]?.lastUse = uses
        let holding = entry.registrations.filter { $0.value.retired == nil }
        if holding.count > 1 { return .contested }
        if let (host, registration) = holding.first { return .holds(host: host, registration) }
        return entry.registrations.values.compactMap(\.retired).max().map { .retired(since: $0) } ?? .unknown
    }

    /// From now on ``take(_:host:_:)`` counts for it.
    mutating func expect(_ token: String) {
        uses += 1
        entries[token] = Entry(lastUse: uses)
    }

    /// - Parameter payload: Empty: the host says nothing any more.
    mutating func take(_ token: String, host: String, _ payload: [UInt8]) {
        entries[token]?.registrations[host] = PushRegistration(payload)
    }

    /// All there was when it was asked for has come.
    mutating func complete(_ token: String) { entries[token]?.isComplete = true }

    mutating func forget(_ token: String) { entries[token] = nil }

    mutating func forgetAll() { entries = [:] }

    /// Makes room where there are too many.
    ///
    /// - Returns: Those that were used least recently, and are forgotten.
    mutating func makeRoom() -> [String] {
        guard entries.count > limit else { return [] }
        let oldest = entries.filter(\.value.isComplete).sorted { $0.value.lastUse < $1.value.lastUse }
            .prefix(entries.count - limit + limit / 8).map(\.key)
        for token in oldest { entries[token] = nil }
        return oldest
    }
}
