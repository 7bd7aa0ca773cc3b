import Glibc

/// The network interfaces of this machine, asked from the system.
package enum InterfaceReading {
    /// Those that are up, without loopback, by name.
    package static func current() -> [InterfaceFacts] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        let routed = RouteTable.defaultInterfaces(
            ipv4: TextFile.read("/proc/net/route"), ipv6: TextFile.read("/proc/net/ipv6_route"))
        var found: [String: InterfaceFacts] = [:]
        for entry in sequence(first: first, next: { $0?.pointee.ifa_next }) {
            guard let entry = entry?.pointee, entry.ifa_flags & UInt32(IFF_UP) != 0,
                entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0
            else { continue }
            let name = String(cString: entry.ifa_name)
            let facts = InterfaceFacts(
                name: name, kind: kind(of: name, flags: entry.ifa_flags),
                canMulticast: entry.ifa_flags & UInt32(IFF_MULTICAST) != 0, addresses: [],
                hasDefaultRoute: routed.contains(name))
            guard let address = text(entry.ifa_addr, mask: entry.ifa_netmask) else {
                found[name] = found[name] ?? facts
                continue
            }
            found[name, default: facts].addresses.append(address)
        }
        return found.values.sorted { $0.name < $1.name }
    }

    /// Every address of this machine, numeric, without prefix or scope.
    package static func ownAddresses(_ interfaces: [InterfaceFacts]) -> Set<String> {
        Set(interfaces.flatMap(\.addresses).compactMap { $0.split(separator: "/").first.map(String.init) })
    }

    private static func kind(of name: String, flags: UInt32) -> InterfaceFacts.Kind {
        func has(_ part: String) -> Bool { access("/sys/class/net/\(name)/\(part)", F_OK) == 0 }
        if flags & UInt32(IFF_POINTOPOINT) != 0 || has("tun_flags") { return .tunnel }
        if has("wireless") || has("phy80211") { return .wireless }
        return has("bridge") ? .bridge : .wired
    }

    private static func text(
        _ address: UnsafeMutablePointer<sockaddr>?, mask: UnsafeMutablePointer<sockaddr>?
    ) -> String? {
        guard let address, let mask else { return nil }
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let length: Int
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                _ = inet_ntop(AF_INET, &$0.pointee.sin_addr, &buffer, socklen_t(buffer.count))
            }
            length = mask.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                $0.pointee.sin_addr.s_addr.nonzeroBitCount
            }
        case AF_INET6:
            address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                _ = inet_ntop(AF_INET6, &$0.pointee.sin6_addr, &buffer, socklen_t(buffer.count))
            }
            length = mask.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin6_addr) { $0.reduce(0) { $0 + $1.nonzeroBitCount } }
            }
        default: return nil
        }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/\(length)"
    }
}

/// Reads the kernel's route tables in `/proc/net`.
enum RouteTable {
    /// Names of the interfaces with a default route that is up.
    static func defaultInterfaces(ipv4: String, ipv6: String) -> Set<String> {
        var names: Set<String> = []
        for line in ipv4.split(separator: "\n").dropFirst() {
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count >= 8, fields[1] == "00000000", fields[7] == "00000000",
                let flags = Int(fields[3], radix: 16), flags & 0x1 != 0
            else { continue }
            names.insert(String(fields[0]))
        }
        for line in ipv6.split(separator: "\n") {
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count >= 10, fields[1] == "00", fields[0].allSatisfy({ $0 == "0" }),
                let flags = Int(fields[8], radix: 16), flags & 0x1 != 0, fields[9] != "lo"
            else { continue }
            names.insert(String(fields[9]))
        }
        return names
    }
}
