/// A domain name as its labels; compared without regard to ASCII case (RFC 6762 §16).
package struct DNSName: Sendable, Hashable {
    /// At most 63 bytes each, without the root's empty one.
    package let labels: [[UInt8]]

    package static let maximumLabel = 63
    package static let maximumLength = 255

    /// `nil` for empty or overlong labels, or if all together are too long.
    package init?(labels: [[UInt8]]) {
        let length = labels.reduce(1) { $0 + 1 + $1.count }
        guard length <= Self.maximumLength, labels.allSatisfy({ (1...Self.maximumLabel).contains($0.count) }) else {
            return nil
        }
        self.labels = labels
    }

    /// A name of dotted text, such as `_mpd._tcp.local`; a final dot is allowed.
    package init?(_ text: String) {
        let bare = text.hasSuffix(".") ? text.dropLast() : text[...]
        self.init(labels: bare.split(separator: ".", omittingEmptySubsequences: false).map { Array($0.utf8) })
    }

    /// The name of a service instance, whose first label may hold any character (RFC 6763 §4.1).
    package init?(instance: String, type: String, domain: String) {
        guard let rest = DNSName("\(type).\(domain.isEmpty ? "local" : domain)") else { return nil }
        self.init(labels: [Array(instance.utf8)] + rest.labels)
    }

    /// The first label as text, the rest dotted: for people and for ``init(instance:type:domain:)``.
    package var first: String { String(decoding: labels.first ?? [], as: UTF8.self) }
    package var dotted: String { labels.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".") }

    package func hasSuffix(_ suffix: DNSName) -> Bool {
        folded.suffix(suffix.labels.count) == suffix.folded[...] && labels.count >= suffix.labels.count
    }

    private var folded: [[UInt8]] {
        labels.map { $0.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 } }
    }

    package static func == (left: Self, right: Self) -> Bool { left.folded == right.folded }
    package func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}
