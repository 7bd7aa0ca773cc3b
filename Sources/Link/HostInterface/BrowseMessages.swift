import Foundation

/// What an extension asks one of the host's shared browsers for.
package struct BrowseRequest: Codable, Sendable, Hashable {
    package enum Kind: String, Codable, Sendable { case bonjour, ssdp }
    package var kind: Kind
    /// `_mpd._tcp` for Bonjour, a search target such as `urn:schemas-upnp-org:device:MediaRenderer:1` for SSDP.
    package var type: String
    /// Bonjour domain; `nil` for the local one.
    package var domain: String?
    /// Whether TXT records and addresses are wanted (a kept resolver per service).
    package var includesTXT: Bool

    package init(kind: Kind, type: String, domain: String? = nil, includesTXT: Bool = false) {
        self.kind = kind
        self.type = type
        self.domain = domain
        self.includesTXT = includesTXT
    }
}

/// One service or SSDP device as a shared browser sees it.
package struct BrowseItem: Codable, Sendable, Hashable {
    /// Bonjour: instance name. SSDP: the USN.
    package var name: String
    package var type: String
    package var domain: String
    /// Interface names (`eth0`) on which it was seen, sorted.
    package var interfaces: [String]
    /// Resolved addresses in order of preference, IPv6 link-local with scope (`fe80::1%eth0`); empty until resolved.
    package var addresses: [String]
    /// Host name the service points at (`hosta.local`); `nil` until resolved.
    package var host: String?
    package var port: Int
    /// Bonjour TXT key to value bytes; SSDP headers (upper-case name to UTF-8 value).
    package var txt: [String: Data]
    /// SSDP: LOCATION.
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

    /// What makes two sightings the same item: name, type and domain; never an address.
    package var key: String { "\(name)\u{0}\(type)\u{0}\(domain)" }
}

/// What a shared browser reports.
package struct BrowseEvent: Codable, Sendable, Hashable {
    package enum Kind: String, Codable, Sendable {
        /// A new item, or one whose addresses, TXT or interfaces changed.
        case found, changed, lost
        /// Everything known so far was reported.
        case settled
        /// The browser waits for something outside (Avahi down, no network); `message` says what.
        case waiting
        case ready
        /// The request can never work; `message` says why.
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
