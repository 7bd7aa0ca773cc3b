import Glibc

/// An entry of the system's list of interfaces: one address of one of them, or an interface without any.
///
/// Source: `getifaddrs(3)`.
package struct InterfaceAddress: Sendable, Hashable {
    package let interface: String
    /// `IFF_…` of `netdevice(7)`.
    package let flags: UInt32
    /// 4 or 16 bytes in network order; empty for an entry without an IP address.
    package let bytes: [UInt8]
    /// The number of leading bits that identify the subnet.
    package let prefixLength: Int

    package var isUp: Bool { flags & UInt32(IFF_UP) != 0 }
    package var isRunning: Bool { flags & UInt32(IFF_RUNNING) != 0 }
    package var isLoopback: Bool { flags & UInt32(IFF_LOOPBACK) != 0 }
    package var canMulticast: Bool { flags & UInt32(IFF_MULTICAST) != 0 }
    package var isPointToPoint: Bool { flags & UInt32(IFF_POINTOPOINT) != 0 }
    package var isIPv4: Bool { bytes.count == 4 }
    package var isIPv6: Bool { bytes.count == 16 }

    /// 169.254.0.0/16 (RFC 3927) or fe80::/10 (RFC 4291).
    package var isLinkLocal: Bool {
        isIPv4 ? bytes[0] == 169 && bytes[1] == 254 : isIPv6 && bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    }

    /// Numeric, without scope; empty for an entry without an IP address.
    package var text: String {
        guard isIPv4 || isIPv6 else { return "" }
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(isIPv4 ? AF_INET : AF_INET6, bytes, &buffer, socklen_t(buffer.count))
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns whether a numeric address without a scope is in this address's subnet.
    package func isSubnet(of address: String) -> Bool {
        var other = [UInt8](repeating: 0, count: bytes.count)
        guard !bytes.isEmpty, inet_pton(isIPv4 ? AF_INET : AF_INET6, address, &other) == 1 else { return false }
        return (0..<prefixLength).allSatisfy { bit in
            let mask: UInt8 = 0x80 >> UInt8(bit % 8)
            return bytes[bit / 8] & mask == other[bit / 8] & mask
        }
    }

    /// Every entry the system has now, in its order.
    ///
    /// - Throws: ``ReachabilityError`` if the process is short of memory or descriptors.
    package static func all() throws(ReachabilityError) -> [InterfaceAddress] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { throw ReachabilityError(call: "getifaddrs") }
        defer { freeifaddrs(first) }
        return sequence(first: first, next: { $0?.pointee.ifa_next }).compactMap { $0?.pointee }.map { entry in
            InterfaceAddress(
                interface: String(cString: entry.ifa_name), flags: entry.ifa_flags, bytes: bytes(of: entry.ifa_addr),
                prefixLength: bytes(of: entry.ifa_netmask).reduce(0) { $0 + $1.nonzeroBitCount })
        }
    }

    private static func bytes(of address: UnsafeMutablePointer<sockaddr>?) -> [UInt8] {
        guard let address else { return [] }
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
                withUnsafeBytes(of: pointer.pointee.sin_addr) { Array($0) }
            }
        case AF_INET6:
            return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
                withUnsafeBytes(of: pointer.pointee.sin6_addr) { Array($0) }
            }
        default: return []
        }
    }
}
