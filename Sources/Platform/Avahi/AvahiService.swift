import CAvahi

/// The address family a row of a browser was seen with.
package enum AvahiFamily: Sendable, Hashable, Comparable {
    case ipv4, ipv6

    init?(_ value: AvahiProtocol) {
        switch value {
        case AvahiProtocol(AVAHI_PROTO_INET): self = .ipv4
        case AvahiProtocol(AVAHI_PROTO_INET6): self = .ipv6
        default: return nil
        }
    }

    var avahiProtocol: AvahiProtocol {
        switch self {
        case .ipv4: AvahiProtocol(AVAHI_PROTO_INET)
        case .ipv6: AvahiProtocol(AVAHI_PROTO_INET6)
        }
    }
}

/// One row of a browser: a service instance as seen on one interface with one address family.
package struct AvahiService: Sendable, Hashable {
    /// Instance name, unescaped: `Living Room`.
    package let name: String
    /// `_mpd._tcp`.
    package let type: String
    /// `local`.
    package let domain: String
    package let interfaceIndex: Int32
    /// `eth0`; the index in decimal if the interface is gone already. Not part of the row's identity.
    package let interfaceName: String
    package let family: AvahiFamily

    package init(
        name: String, type: String, domain: String, interfaceIndex: Int32, interfaceName: String, family: AvahiFamily
    ) {
        self.name = name
        self.type = type
        self.domain = domain
        self.interfaceIndex = interfaceIndex
        self.interfaceName = interfaceName
        self.family = family
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.type == right.type && left.domain == right.domain
            && left.interfaceIndex == right.interfaceIndex && left.family == right.family
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(type)
        hasher.combine(domain)
        hasher.combine(interfaceIndex)
        hasher.combine(family)
    }
}

/// A resolver's answer for a row.
package struct AvahiResolution: Sendable, Hashable {
    /// `hosta.local`.
    package let host: String
    /// The address in the row's family, link-local IPv6 with its scope (`fe80::1%eth0`); `nil` if the answer was
    /// unusable.
    package let address: String?
    package let port: UInt16
    /// TXT key to value, the first of equal keys (RFC 6763 §6.4); a key without `=` has an empty value.
    package let txt: [String: [UInt8]]

    package init(host: String, address: String?, port: UInt16, txt: [String: [UInt8]]) {
        self.host = host
        self.address = address
        self.port = port
        self.txt = txt
    }
}

/// An event of a browse, in Avahi's order.
package enum AvahiEvent: Sendable, Hashable {
    case added(AvahiService)
    case removed(AvahiService)
    /// First answer for the row, or a change of its host, address, port or TXT record.
    case resolved(AvahiService, AvahiResolution)
    /// The row exists but no resolver got an answer for it; a later answer is still reported.
    case unresolved(AvahiService, AvahiError)
    /// Everything known so far was reported. Once after the start and once after every reconnection.
    case settled
    /// No daemon to ask. Rows stay until a daemon settled without them.
    case waiting(AvahiError)
    /// A daemon answers again after ``waiting(_:)``.
    case ready
    /// The browse can never work; the stream ends.
    case failed(AvahiError)
}
