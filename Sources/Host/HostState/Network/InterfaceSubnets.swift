import Reachability

/// The subnets of this machine's interfaces, asked from the system.
enum InterfaceSubnets {
    /// Returns the subnets of active interfaces, without loopback and link-local addresses.
    static func current() -> [NetworkIdentity.Subnet] {
        let addresses = (try? InterfaceAddress.all()) ?? []
        return addresses.filter { $0.isUp && !$0.isLoopback && !$0.bytes.isEmpty && !$0.isLinkLocal }.map { address in
            NetworkIdentity.Subnet(
                interface: address.interface, prefix: masked(address.bytes, address.prefixLength),
                length: address.prefixLength)
        }
    }

    private static func masked(_ bytes: [UInt8], _ length: Int) -> [UInt8] {
        bytes.enumerated().map { index, byte in
            let kept = min(max(length - index * 8, 0), 8)
            return byte & UInt8(truncatingIfNeeded: 0xFF00 >> kept)
        }
    }
}
