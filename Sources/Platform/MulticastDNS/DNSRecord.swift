/// One record of an answer; other types than these are skipped.
package struct DNSRecord: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        /// An instance of a service type.
        case pointer(DNSName)
        case service(host: DNSName, port: UInt16)
        /// The strings of a TXT record.
        case text([[UInt8]])
        /// 4 or 16 bytes.
        case address([UInt8])
    }

    package let name: DNSName
    package let content: Content

    package init(name: DNSName, content: Content) {
        self.name = name
        self.content = content
    }
}

/// The queried record types (RFC 1035 §3.2.2, RFC 2782, RFC 3596).
package enum DNSRecordType: UInt16, Sendable {
    case address = 1
    case pointer = 12
    case text = 16
    case ipv6Address = 28
    case service = 33
}
