/// Tells new pushes of one session from old and repeated ones: a value.
///
/// The greater timestamp is the newer; of the same second the one that came last, each once.
package struct PushOrder: Sendable, Hashable {
    /// How many pushes of one second are remembered.
    private static let memory = 64

    /// Seconds since 1970, of the newest; `nil` before the first.
    package private(set) var timestamp: Int64?
    /// `apns-id` of those of that second, the last one last.
    package private(set) var identifiers: [String]

    package init(timestamp: Int64? = nil, identifiers: [String] = []) {
        self.timestamp = timestamp
        self.identifiers = identifiers
    }

    package func isNew(_ timestamp: Int64, _ identifier: String) -> Bool {
        guard let newest = self.timestamp else { return true }
        return timestamp > newest || timestamp == newest && !identifiers.contains(identifier)
    }

    /// It is the newest from now on.
    package mutating func take(_ timestamp: Int64, _ identifier: String) {
        if timestamp != self.timestamp { identifiers = [] }
        self.timestamp = timestamp
        identifiers.append(identifier)
        identifiers.removeFirst(max(0, identifiers.count - Self.memory))
    }
}
