/// The order of a session's pushes, as a value that distinguishes new from old and repeated ones.
///
/// The later timestamp is newer. In one second, the last push counts, each once.
package struct PushOrder: Sendable, Hashable {
    /// The number of stored pushes of one second.
    private static let memory = 64

    /// The newest timestamp in seconds since 1970; `nil` before the first.
    package private(set) var timestamp: Int64?
    /// The `apns-id` of the pushes of that second, the last one last.
    package private(set) var identifiers: [String]

    package init(timestamp: Int64? = nil, identifiers: [String] = []) {
        self.timestamp = timestamp
        self.identifiers = identifiers
    }

    package func isNew(_ timestamp: Int64, _ identifier: String) -> Bool {
        guard let newest = self.timestamp else { return true }
        return timestamp > newest || timestamp == newest && !identifiers.contains(identifier)
    }

    /// Records a push as the newest.
    package mutating func take(_ timestamp: Int64, _ identifier: String) {
        if timestamp != self.timestamp { identifiers = [] }
        self.timestamp = timestamp
        identifiers.append(identifier)
        identifiers.removeFirst(max(0, identifiers.count - Self.memory))
    }
}
