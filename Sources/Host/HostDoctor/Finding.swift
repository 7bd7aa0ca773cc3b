/// The result of one check, with a remedy for a problem.
package struct Finding: Sendable, Hashable, Codable {
    package enum Severity: String, Sendable, Hashable, Codable, Comparable, CaseIterable {
        /// Everything is in order.
        case fine
        /// Good to know; nothing to do.
        case note
        /// Some devices or some features suffer.
        case warning
        /// Something can't work.
        case problem

        package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    package enum Area: String, Sendable, Hashable, Codable {
        case device, daemon, extensions, network, mdns, ssdp, firewall, bluetooth, storage
    }

    package var area: Area
    package var severity: Severity
    /// Stable; the set is open.
    package var code: String
    /// One sentence.
    package var message: String
    /// The remedy, in one sentence; `nil` if nothing needs to be done.
    package var remedy: String?

    package init(_ area: Area, _ severity: Severity, _ code: String, _ message: String, remedy: String? = nil) {
        self.area = area
        self.severity = severity
        self.code = code
        self.message = message
        self.remedy = remedy
    }
}
