package import Foundation

/// An extension's request to one of the host's shared browsers.
package struct BrowseRequest: Codable, Sendable, Hashable {
    package enum Kind: String, Codable, Sendable { case bonjour, ssdp }
    package var kind: Kind
    /// The service type for Bonjour, such as `_mpd._tcp`; the search target for SSDP, such as
    /// `urn:schemas-upnp-org:device:MediaRenderer:1`.
    package var type: String
    /// The Bonjour domain; `nil` for the local one.
    package var domain: String?
    /// A Boolean value that requests TXT records and addresses, for which each service has a resolver.
    package var includesTXT: Bool

    package init(kind: Kind, type: String, domain: String? = nil, includesTXT: Bool = false) {
        self.kind = kind
        self.type = type
        self.domain = domain
        self.includesTXT = includesTXT
    }
}

/// A service or SSDP device, as a shared browser sees it.
package struct BrowseItem: Codable, Sendable, Hashable {
    /// The instance name for Bonjour, the USN for SSDP.
    package var name: String
    package var type: String
    package var domain: String
    /// The names of the interfaces on which it is visible (`eth0`), sorted.
    package var interfaces: [String]
    /// The addresses in order of preference, IPv6 link-local with scope (`fe80::1%eth0`); empty until resolved.
    package var addresses: [String]
    /// The host name of the service (`hosta.local`); `nil` until resolved.
    package var host: String?
    package var port: Int
    /// For Bonjour the TXT keys with the bytes of their values; for SSDP the headers, upper-case names with UTF-8
    /// values.
    package var txt: [String: Data]
    /// The `LOCATION` for SSDP.
    package var location: String?

    package init(
        name: String, type: String, domain: String, interfaces: [String] = [], addresses: [String] = [],
        host: String? = nil, port: Int = 0, txt: [String: Data] = [:], location: String? = nil
    ) {
        self.name = name
        self.type = type
        self.domain = domain
        self.interfaces = interfaces
        self.addresses = addresses
        self.host = host
        self.port = port
        self.txt = txt
        self.location = location
    }

    /// The key that identifies the item: name, type and domain, never an address.
    package var key: String { "\(name)\u{0}\(type)\u{0}\(domain)" }
}

/// A report of a shared browser.
package struct BrowseEvent: Codable, Sendable, Hashable {
    package enum Kind: String, Codable, Sendable {
        /// An item is new, changed its addresses, TXT record or interfaces, or is gone.
        case found, changed, lost
        /// All known items were reported.
        case settled
        /// The browser waits for something (Avahi isn't running, no network); `message` has the reason.
        case waiting
        case ready
        /// The request is invalid; `message` has the reason.
        case failed
    }
    package var kind: Kind
    package var item: BrowseItem?
    package var message: String?

    package init(_ kind: Kind, item: BrowseItem? = nil, message: String? = nil) {
        self.kind = kind
        self.item = item
        self.message = message
    }
}
