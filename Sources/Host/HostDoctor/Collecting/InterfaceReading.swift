import Glibc
import Reachability

/// The network interfaces of this machine, asked from the system.
package enum InterfaceReading {
    /// Returns the active interfaces without loopback, sorted by name.
    package static func current() -> [InterfaceFacts] {
        let entries = ((try? InterfaceAddress.all()) ?? []).filter { $0.isUp && !$0.isLoopback }
        let routed = RouteTable.defaultInterfaces(
            ipv4: TextFile.read("/proc/net/route"), ipv6: TextFile.read("/proc/net/ipv6_route"))
        var found: [String: InterfaceFacts] = [:]
        for entry in entries {
            let facts = InterfaceFacts(
                name: entry.interface, kind: kind(of: entry), canMulticast: entry.canMulticast, addresses: [],
                hasDefaultRoute: routed.contains(entry.interface))
            found[entry.interface, default: facts].addresses +=
                entry.bytes.isEmpty
                ? [] : ["\(entry.text)/\(entry.prefixLength)"]
        }
        return found.values.sorted { $0.name < $1.name }
    }

    /// Every address of this machine, numeric, without prefix or scope.
    package static func ownAddresses(_ interfaces: [InterfaceFacts]) -> Set<String> {
        Set(interfaces.flatMap(\.addresses).compactMap { $0.split(separator: "/").first.map(String.init) })
    }

    private static func kind(of entry: InterfaceAddress) -> InterfaceFacts.Kind {
        func has(_ part: String) -> Bool { access("/sys/class/net/\(entry.interface)/\(part)", F_OK) == 0 }
        if entry.isPointToPoint || has("tun_flags") { return .tunnel }
        if has("wireless") || has("phy80211") { return .wireless }
        return has("bridge") ? .bridge : .wired
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
