public import Foundation

/// An IPv4 or IPv6 address.
public protocol IPAddress: Hashable, Sendable, CustomDebugStringConvertible {
    /// Creates an address from its bytes in network byte order; `nil` for another number of bytes.
    init?(_ rawValue: Data, _ interface: NWInterface?)
    /// Parses an address, optionally with `%` and an interface; `nil` for other text.
    init?(_ string: String)
    /// The 4 or 16 bytes in network byte order.
    var rawValue: Data { get }
    /// The interface of the address; `nil` for any. A link-local IPv6 address always needs one.
    var interface: NWInterface? { get }
    /// A Boolean value that indicates whether the address is a loopback address of this computer.
    var isLoopback: Bool { get }
    /// A Boolean value that indicates whether the address is valid only on one link.
    var isLinkLocal: Bool { get }
    /// A Boolean value that indicates whether the address is a multicast group.
    var isMulticast: Bool { get }
}

/// Splits `fe80::1%eth0`; `nil` if the scope isn't a valid interface.
func splitScope(_ text: String) -> (address: String, interface: NWInterface?)? {
    guard let percent = text.firstIndex(of: "%") else { return (text, nil) }
    let scope = String(text[text.index(after: percent)...])
    let named = UInt32(scope).flatMap { NWInterface(index: $0) } ?? NWInterface(name: scope)
    guard let named else { return nil }
    return (String(text[..<percent]), named)
}
