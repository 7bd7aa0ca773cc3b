public import Foundation

/// An IPv4 address.
public struct IPv4Address: IPAddress {
    private let bits: UInt32
    /// The interface of the address; `nil` for any.
    public let interface: NWInterface?

    private init(bits: UInt32, interface: NWInterface? = nil) {
        self.bits = bits
        self.interface = interface
    }

    /// Creates an address from 4 bytes in network byte order; `nil` for another number.
    public init?(_ rawValue: Data, _ interface: NWInterface? = nil) {
        guard rawValue.count == 4 else { return nil }
        self.init(bits: rawValue.reduce(0) { $0 << 8 | UInt32($1) }, interface: interface)
    }

    /// Parses four decimal numbers with dots, optionally with `%` and an interface; `nil` for other text.
    public init?(_ string: String) {
        guard let (text, interface) = splitScope(string) else { return nil }
        var address = in_addr()
        guard !text.utf8.contains(0), inet_pton(AF_INET, text, &address) == 1 else { return nil }
        self.init(bits: UInt32(bigEndian: address.s_addr), interface: interface)
    }

    /// The unspecified address, 0.0.0.0.
    public static let any = IPv4Address(bits: 0)
    /// The broadcast address of the link, 255.255.255.255.
    public static let broadcast = IPv4Address(bits: .max)
    /// The loopback address, 127.0.0.1.
    public static let loopback = IPv4Address(bits: 0x7F00_0001)
    /// The group of all hosts, 224.0.0.1.
    public static let allHostsGroup = IPv4Address(bits: 0xE000_0001)
    /// The group of all routers, 224.0.0.2.
    public static let allRoutersGroup = IPv4Address(bits: 0xE000_0002)
    /// The group of multicast DNS, 224.0.0.251.
    public static let mdnsGroup = IPv4Address(bits: 0xE000_00FB)

    /// The 4 bytes in network byte order.
    public var rawValue: Data { withUnsafeBytes(of: bits.bigEndian) { Data($0) } }

    /// A Boolean value that indicates whether the address is in 127.0.0.0/8.
    public var isLoopback: Bool { bits >> 24 == 127 }
    /// A Boolean value that indicates whether the address is in 169.254.0.0/16.
    public var isLinkLocal: Bool { bits >> 16 == 0xA9FE }
    /// A Boolean value that indicates whether the address is in 224.0.0.0/4.
    public var isMulticast: Bool { bits >> 28 == 0xE }

    /// The four decimal numbers with dots, with the interface if there is one.
    public var debugDescription: String {
        let text = stride(from: 24, through: 0, by: -8).map { String(bits >> UInt32($0) & 0xFF) }.joined(separator: ".")
        return interface.map { "\(text)%\($0.name)" } ?? text
    }
}
