import Foundation

/// An address of the Internet Protocol, version 4 or 6.
public protocol IPAddress: Hashable, Sendable, CustomDebugStringConvertible {
    /// Makes an address from its bytes in network order; `nil` for another number of bytes.
    init?(_ rawValue: Data, _ interface: NWInterface?)
    /// Reads an address as it is written, possibly with `%` and an interface; `nil` for anything else.
    init?(_ string: String)
    /// The bytes in network order: 4 or 16.
    var rawValue: Data { get }
    /// The interface the address is bound to, if any; always needed for link-local IPv6 addresses.
    var interface: NWInterface? { get }
    /// Whether the address is this machine's own, reachable from nowhere else.
    var isLoopback: Bool { get }
    /// Whether the address is valid on one link only.
    var isLinkLocal: Bool { get }
    /// Whether the address stands for a group.
    var isMulticast: Bool { get }
}

/// Splits `fe80::1%eth0`; `nil` if there is a scope that names no possible interface.
func splitScope(_ text: String) -> (address: String, interface: NWInterface?)? {
    guard let percent = text.firstIndex(of: "%") else { return (text, nil) }
    let scope = String(text[text.index(after: percent)...])
    let named = UInt32(scope).flatMap { NWInterface(index: $0) } ?? NWInterface(name: scope)
    guard let named else { return nil }
    return (String(text[..<percent]), named)
}
