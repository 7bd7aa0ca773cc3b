import Glibc

/// A network interface SSDP can use, with its addresses.
package struct NetworkInterface: Sendable, Hashable {
    package let name: String
    package let index: UInt32
    /// Numeric, without scope.
    package let ipv4: Set<String>
    package let ipv6: Set<String>

    package init(name: String, index: UInt32, ipv4: Set<String>, ipv6: Set<String>) {
        self.name = name
        self.index = index
        self.ipv4 = ipv4
        self.ipv6 = ipv6
    }

    /// Which interfaces to use.
    package enum Selection: Sendable, Hashable {
        /// Every one that is up and can multicast, but loopback.
        case multicast
        case named(Set<String>)

        func includes(_ name: String, flags: UInt32) -> Bool {
            let isUp = flags & UInt32(IFF_UP) != 0
            return switch self {
            case .multicast:
                isUp && flags & UInt32(IFF_MULTICAST) != 0 && flags & UInt32(IFF_LOOPBACK) == 0
            case .named(let names): isUp && names.contains(name)
            }
        }
    }

    /// The interfaces that are up now and have an address, by name.
    package static func current(_ selection: Selection) throws(SSDPError) -> [String: NetworkInterface] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { throw .system(call: "getifaddrs", number: errno) }
        defer { freeifaddrs(first) }
        var addresses: [String: (ipv4: Set<String>, ipv6: Set<String>)] = [:]
        var node = first
        while let entry = node {
            defer { node = entry.pointee.ifa_next }
            let name = String(cString: entry.pointee.ifa_name)
            guard selection.includes(name, flags: entry.pointee.ifa_flags), let raw = entry.pointee.ifa_addr,
                let address = SocketAddress(raw)
            else { continue }
            switch address.family {
            case .ipv4: addresses[name, default: ([], [])].ipv4.insert(address.text)
            case .ipv6: addresses[name, default: ([], [])].ipv6.insert(address.text)
            }
        }
        var interfaces: [String: NetworkInterface] = [:]
        for (name, found) in addresses {
            let index = if_nametoindex(name)
            guard index > 0 else { continue }
            interfaces[name] = NetworkInterface(name: name, index: index, ipv4: found.ipv4, ipv6: found.ipv6)
        }
        return interfaces
    }
}
