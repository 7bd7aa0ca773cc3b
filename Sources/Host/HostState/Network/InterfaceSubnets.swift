import Foundation

/// The subnets of this machine's interfaces, asked from the system.
enum InterfaceSubnets {
    /// Of interfaces that are up, without loopback and link-local addresses.
    static func current() -> [NetworkIdentity.Subnet] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var subnets: [NetworkIdentity.Subnet] = []
        for entry in sequence(first: first, next: { $0?.pointee.ifa_next }) {
            guard let interface = entry?.pointee, let name = interface.ifa_name,
                interface.ifa_flags & UInt32(IFF_UP) != 0,
                interface.ifa_flags & UInt32(IFF_LOOPBACK) == 0,
                let address = bytes(interface.ifa_addr), let mask = bytes(interface.ifa_netmask),
                address.count == mask.count, !isLinkLocal(address)
            else { continue }
            subnets.append(
                NetworkIdentity.Subnet(
                    interface: String(cString: name), prefix: zip(address, mask).map { $0 & $1 },
                    length: mask.reduce(0) { $0 + $1.nonzeroBitCount }))
        }
        return subnets
    }

    private static func bytes(_ address: UnsafeMutablePointer<sockaddr>?) -> [UInt8]? {
        guard let address else { return nil }
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
                withUnsafeBytes(of: pointer.pointee.sin_addr) { Array($0) }
            }
        case AF_INET6:
            return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
                withUnsafeBytes(of: pointer.pointee.sin6_addr) { Array($0) }
            }
        default: return nil
        }
    }

    private static func isLinkLocal(_ address: [UInt8]) -> Bool {
        address.count == 4
            ? address[0] == 169 && address[1] == 254 : address[0] == 0xFE && address[1] & 0xC0 == 0x80
    }
}
