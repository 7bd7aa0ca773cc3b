/// A UPnP device or service type such as `urn:schemas-upnp-org:service:AVTransport:2`.
package struct URN: Sendable, Hashable {
    package enum Kind: String, Sendable { case device, service }

    /// `schemas-upnp-org`, or a vendor's domain with hyphens for dots.
    package var domain = "schemas-upnp-org"
    package var kind: Kind
    /// `MediaRenderer`, `AVTransport`.
    package var name: String
    /// The version, at least 1. A device of a higher version supports everything of a lower one.
    package var version: Int
}

extension URN {
    /// `nil` unless the text has the five parts of UPnP Device Architecture 1.1, table 2-1.
    package init?(_ text: String) {
        let parts = text.trimmed.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].lowercased() == "urn", let kind = Kind(rawValue: String(parts[2])),
            !parts[3].isEmpty, let version = Int(parts[4]), version > 0
        else { return nil }
        self.init(domain: String(parts[1]), kind: kind, name: String(parts[3]), version: version)
    }
}

extension URN: CustomStringConvertible {
    package var description: String { "urn:\(domain):\(kind.rawValue):\(name):\(version)" }
}
