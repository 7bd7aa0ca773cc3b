package enum SSDPFamily: Sendable, Hashable {
    case ipv4, ipv6
}

/// The interface and family that a datagram arrived on.
package struct SSDPArrival: Sendable, Hashable {
    /// `eth0`.
    package let interface: String
    package let family: SSDPFamily
    /// Numeric, without scope.
    package let sender: String

    package init(interface: String, family: SSDPFamily, sender: String) {
        self.interface = interface
        self.family = family
        self.sender = sender
    }
}

/// One device, embedded device or service, however many interfaces and families it was seen on.
package struct SSDPItem: Sendable, Hashable {
    /// `uuid:…::urn:…`, with the version that a browse requested.
    package var usn: String
    /// `uuid:…`.
    package var udn: String
    package var target: String
    /// The URL of the description, the one to try first: IPv4 before global IPv6 before link-local IPv6 (with its
    /// scope, `http://[fe80::1%25eth0]:80/`), a new address before an older one.
    package var location: String
    /// Numeric addresses of the device in the same order, link-local IPv6 as `fe80::1%eth0`.
    package var addresses: [String]
    /// Sorted.
    package var interfaces: [String]
    package var bootID: UInt32?
    package var configID: UInt32?
    /// The headers sent with ``location``: upper-case names, without those that change with every message.
    package var headers: [String: String]

    package init(
        usn: String, udn: String, target: String, location: String, addresses: [String], interfaces: [String],
        bootID: UInt32?, configID: UInt32?, headers: [String: String]
    ) {
        self.usn = usn
        self.udn = udn
        self.target = target
        self.location = location
        self.addresses = addresses
        self.interfaces = interfaces
        self.bootID = bootID
        self.configID = configID
        self.headers = headers
    }
}

/// The change that a datagram or the passing of time made to the known items.
package enum SSDPChange: Sendable, Hashable {
    case found(SSDPItem)
    /// Another location, address, interface, boot or configuration number, or header.
    case changed(SSDPItem)
    case lost(SSDPItem)

    package var item: SSDPItem {
        switch self {
        case .found(let item), .changed(let item), .lost(let item): item
        }
    }

    /// The change as a browse for `requested` sees it; `nil` if it does not match.
    ///
    /// A device announces its highest version and answers a search in the searched one; seen this way both are one
    /// item.
    package func seen(by requested: SSDPTarget) -> SSDPChange? {
        guard let target = try? SSDPTarget(item.target), requested.covers(target) else { return nil }
        var seen = item
        if requested.version > 0, requested.version != target.version {
            seen.target = requested.text
            seen.usn = "\(item.udn)::\(requested.text)"
        }
        return switch self {
        case .found: .found(seen)
        case .changed: .changed(seen)
        case .lost: .lost(seen)
        }
    }
}
