import Foundation

/// An address of the Internet Protocol version 6.
public struct IPv6Address: IPAddress {
    /// How far a multicast address reaches; the set is open.
    public enum Scope: UInt8, Sendable {
        /// This machine.
        case nodeLocal = 1
        /// One link.
        case linkLocal = 2
        /// One site.
        case siteLocal = 5
        /// One organisation.
        case organizationLocal = 8
        /// Everywhere.
        case global = 0x0E
    }

    private let bits: UInt128
    /// The interface the address is bound to: its scope, without which a link-local address means nothing.
    public let interface: NWInterface?

    private init(bits: UInt128, interface: NWInterface? = nil) {
        self.bits = bits
        self.interface = interface
    }

    /// Makes an address from 16 bytes in network order; `nil` for another number.
    public init?(_ rawValue: Data, _ interface: NWInterface? = nil) {
        guard rawValue.count == 16 else { return nil }
        self.init(bits: rawValue.reduce(0) { $0 << 8 | UInt128($1) }, interface: interface)
    }

    /// Reads an address such as `2001:db8::1` or `fe80::1%eth0`; `nil` for anything else.
    public init?(_ string: String) {
        guard let (text, interface) = splitScope(string) else { return nil }
        var address = in6_addr()
        guard !text.utf8.contains(0), inet_pton(AF_INET6, text, &address) == 1 else { return nil }
        self.init(withUnsafeBytes(of: address) { Data($0) }, interface)
    }

    /// No address, or every address of this machine: `::`.
    public static let any = IPv6Address(bits: 0)
    /// This machine: `::1`.
    public static let loopback = IPv6Address(bits: 1)
    /// The group of all machines on a link: `ff02::1`.
    public static let linkLocalNodes = IPv6Address(bits: 0xFF02 << 112 | 1)
    /// The group of all routers on a link: `ff02::2`.
    public static let linkLocalRouters = IPv6Address(bits: 0xFF02 << 112 | 2)

    /// The 16 bytes in network order.
    public var rawValue: Data { withUnsafeBytes(of: bits.bigEndian) { Data($0) } }

    /// Whether the address is `::`.
    public var isAny: Bool { bits == 0 }
    /// Whether the address is `::1`.
    public var isLoopback: Bool { bits == 1 }
    /// Whether the address is in fe80::/10.
    public var isLinkLocal: Bool { bits >> 118 == 0xFE80 >> 6 }
    /// Whether the address is in fc00::/7.
    public var isUniqueLocal: Bool { bits >> 121 == 0xFC >> 1 }
    /// Whether the address is in ff00::/8.
    public var isMulticast: Bool { bits >> 120 == 0xFF }
    /// How far a multicast address reaches; `nil` for other addresses and unassigned scopes.
    public var multicastScope: Scope? { isMulticast ? Scope(rawValue: UInt8(bits >> 112 & 0xF)) : nil }
    /// Whether the address stands for one of version 4: ::ffff:0:0/96.
    public var isIPv4Mapped: Bool { bits >> 32 == 0xFFFF }
    /// The address of version 4 a mapped address stands for; `nil` for others.
    public var asIPv4: IPv4Address? { isIPv4Mapped ? IPv4Address(rawValue.suffix(4), interface) : nil }

    /// The shortest form, and the interface if the address is bound to one.
    public var debugDescription: String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let text = withUnsafeBytes(of: bits.bigEndian) { bytes in
            inet_ntop(AF_INET6, bytes.baseAddress, &buffer, socklen_t(INET6_ADDRSTRLEN)).map { String(cString: $0) }
        }
        let address = text ?? ""
        return interface.map { "\(address)%\($0.name)" } ?? address
    }
}
