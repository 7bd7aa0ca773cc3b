/// The target of a search or advertisement (`ST`, `NT`): `ssdp:all`, `upnp:rootdevice`, `uuid:…` or a URN with a
/// version.
package struct SSDPTarget: Sendable, Hashable {
    package let text: String
    /// The URN without its version, or the whole text, lower case.
    let kind: String
    /// `1` for `urn:schemas-upnp-org:device:MediaRenderer:1`; 0 without a version.
    let version: Int

    package static let maximumLength = 256

    /// - Throws: ``SSDPError/invalidTarget``.
    package init(_ text: String) throws(SSDPError) {
        guard (1...Self.maximumLength).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else { throw .invalidTarget }
        self.text = text
        let lower = text.lowercased()
        if lower.hasPrefix("urn:"), let colon = lower.lastIndex(of: ":"),
            let version = Int(lower[lower.index(after: colon)...]), (1...9_999).contains(version)
        {
            kind = String(lower[..<colon])
            self.version = version
        } else {
            kind = lower
            version = 0
        }
    }

    /// Returns whether a device that advertises `other` answers a search for this target.
    ///
    /// A device of a higher version must work for clients of every lower one (UPnP Device Architecture 2.0, §1.3.2).
    package func covers(_ other: SSDPTarget) -> Bool {
        kind == "ssdp:all" || (kind == other.kind && version <= other.version)
    }
}
