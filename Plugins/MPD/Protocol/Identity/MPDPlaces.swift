/// The names that servers had when they were first seen, by location: a renamed server is still the same server. Keep
/// it from one run to the next.
public struct MPDPlaces: Codable, Sendable, Hashable {
    /// Configured names by `host:port`.
    private var names: [String: String] = [:]

    /// The highest number of places, more than any household has.
    private static let limit = 500

    public init() {}

    /// Returns the identity of the server at a place, with its first name.
    ///
    /// - Parameter others: The configured names of all announced servers, with their places. A server that moved to
    ///   another host keeps its name, and isn't confused with the one that was there before.
    mutating func resident(_ plain: MPDIdentity, among others: some Sequence<MPDIdentity>) -> MPDIdentity {
        let place = "\(plain.host):\(plain.port)"
        guard let earlier = names[place], earlier != plain.name, !isAmbiguous(plain.host),
            !others.contains(where: { $0.name == earlier && ($0.host, $0.port) != (plain.host, plain.port) })
        else {
            if names.count >= Self.limit { names = [:] }
            names[place] = plain.name
            return plain
        }
        return plain.named(earlier)
    }

    /// Returns a Boolean value that indicates whether several hosts claim this name. mDNS numbers them in their order
    /// of arrival, which changes (RFC 6762, section 9).
    private func isAmbiguous(_ host: String) -> Bool {
        let wanted = Self.withoutConflictNumber(host)
        return host != wanted
            || names.keys.contains { place in
                let other = place.prefix { $0 != ":" }
                return other != host && Self.withoutConflictNumber(String(other)) == wanted
            }
    }

    /// Returns a host name without its conflict number: `pi-2.local` becomes `pi.local`.
    private static func withoutConflictNumber(_ host: String) -> String {
        let end = host.firstIndex(of: ".") ?? host.endIndex
        let label = host[..<end]
        guard let dash = label.lastIndex(of: "-"), dash > label.startIndex,
            (1...3).contains(label[label.index(after: dash)...].count),
            label[label.index(after: dash)...].allSatisfy({ ("0"..."9").contains($0) })
        else { return host }
        return String(label[..<dash]) + host[end...]
    }
}
