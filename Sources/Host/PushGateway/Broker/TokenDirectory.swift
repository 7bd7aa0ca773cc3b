import PushInterface

/// The known states of tokens since the gateway connected, as a value.
///
/// It mirrors the broker's retained messages for the requested tokens, and stores for each whether all have arrived.
struct TokenDirectory {
    enum Finding: Hashable {
        /// No host issued the token.
        case unknown
        /// The token was replaced, or its session ended, at a time in seconds since 1970.
        case retired(since: Int64)
        case holds(host: String, PushRegistration)
        /// Several hosts claim the token, so at least one of them is wrong.
        case contested
    }

    private struct Entry {
        var registrations: [String: PushRegistration] = [:]
        var isComplete = false
        var lastUse: UInt64
    }

    /// The maximum number of tokens.
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

    /// Begins to collect messages for a token.
    mutating func expect(_ token: String) {
        uses += 1
        entries[token] = Entry(lastUse: uses)
    }

    /// - Parameter payload: The message; empty if the host withdrew its statement.
    mutating func take(_ token: String, host: String, _ payload: [UInt8]) {
        entries[token]?.registrations[host] = PushRegistration(payload)
    }

    /// All there was when it was asked for has come.
    mutating func complete(_ token: String) { entries[token]?.isComplete = true }

    mutating func forget(_ token: String) { entries[token] = nil }

    mutating func forgetAll() { entries = [:] }

    /// Removes tokens beyond the maximum.
    ///
    /// - Returns: The removed tokens, which are the least recently used ones.
    mutating func makeRoom() -> [String] {
        guard entries.count > limit else { return [] }
        let oldest = entries.filter(\.value.isComplete).sorted { $0.value.lastUse < $1.value.lastUse }
            .prefix(entries.count - limit + limit / 8).map(\.key)
        for token in oldest { entries[token] = nil }
        return oldest
    }
}
