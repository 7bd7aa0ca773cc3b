public import Foundation

/// An IPv6 address.
public struct IPv6Address: IPAddress {
    /// The scope of a multicast address. The set is open.
    public enum Scope: UInt8, Sendable {
        /// The scope of this computer.
        case nodeLocal = 1
        /// The scope of one link.
        case linkLocal = 2
        /// The scope of one site.
        case siteLocal = 5
        /// The scope of one organization.
        case organizationLocal = 8
        /// The global scope.
        case global = 0x0E
    }

    private let bits: UInt128
    /// The interface of the address, which is its scope; `nil` for any. A link-local address always needs one.
    public let interface: NWInterface?

    private init(bits: UInt128, interface: NWInterface? = nil) {
        self.bits = bits
        self.interface = interface
    }

    /// Creates an address from 16 bytes in network byte order; `nil` for another number.
    public init?(_ rawValue: Data, _ interface: NWInterface? = nil) {
        guard rawValue.count == 16 else { return nil }
        self.init(bits: rawValue.reduce(0) { $0 << 8 | UInt128($1) }, interface: interface)
    }

    /// Parses an address such as `2001:db8::1` or `fe80::1%eth0`; `nil` for other text.
    public init?(_ string: String) {
        guard let (text, interface) = splitScope(string) else { return nil }
        var address = in6_addr()
        guard !text.utf8.contains(0), inet_pton(AF_INET6, text, &address) == 1 else { return nil }
        self.init(withUnsafeBytes(of: address) { Data($0) }, interface)
    }

    /// The unspecified address, `::`.
    public static let any = IPv6Address(bits: 0)
    /// The loopback address, `::1`.
    public static let loopback = IPv6Address(bits: 1)
    /// The group of all nodes on a link, `ff02::1`.
    public static let linkLocalNodes = IPv6Address(bits: 0xFF02 << 112 | 1)
    /// The group of all routers on a link, `ff02::2`.
    public static let linkLocalRouters = IPv6Address(bits: 0xFF02 << 112 | 2)

    /// The 16 bytes in network byte order.
    public var rawValue: Data { withUnsafeBytes(of: bits.bigEndian) { Data($0) } }

    /// A Boolean value that indicates whether the address is `::`.
    public var isAny: Bool { bits == 0 }
    /// A Boolean value that indicates whether the address is `::1`.
    public var isLoopback: Bool { bits == 1 }
    /// A Boolean value that indicates whether the address is in fe80::/10.
    public var isLinkLocal: Bool { bits >> 118 == 0xFE80 >> 6 }
    /// A Boolean value that indicates whether the address is in fc00::/7.
    public var isUniqueLocal: Bool { bits >> 121 == 0xFC >> 1 }
    /// A Boolean value that indicates whether the address is in ff00::/8.
    public var isMulticast: Bool { bits >> 120 == 0xFF }
    /// The scope of a multicast address; `nil` for other addresses and unassigned scopes.
    public var multicastScope: Scope? { isMulticast ? Scope(rawValue: UInt8(bits >> 112 & 0xF)) : nil }
    /// A Boolean value that indicates whether the address maps an IPv4 address (::ffff:0:0/96).
    public var isIPv4Mapped: Bool { bits >> 32 == 0xFFFF }
    /// The IPv4 address that the address maps; `nil` if it maps none.
    public var asIPv4: IPv4Address? { isIPv4Mapped ? IPv4Address(rawValue.suffix(4), interface) : nil }

    /// The shortest form, with the interface if there is one.
    public var debugDescription: String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let text = withUnsafeBytes(of: bits.bigEndian) { bytes in
            inet_ntop(AF_INET6, bytes.baseAddress, &buffer, socklen_t(INET6_ADDRSTRLEN)).map { String(cString: $0) }
        }
        let address = text ?? ""
        return interface.map { "\(address)%\($0.name)" } ?? address
    }
}
