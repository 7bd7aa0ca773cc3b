import Glibc
import Reachability

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

    /// The interfaces to use.
    package enum Selection: Sendable, Hashable {
        /// Every interface that is up and can multicast, except loopback.
        case multicast
        case named(Set<String>)

        func includes(_ address: InterfaceAddress) -> Bool {
            switch self {
            case .multicast: address.isUp && address.canMulticast && !address.isLoopback
            case .named(let names): address.isUp && names.contains(address.interface)
            }
        }
    }

    /// The interfaces that are up now and have an address, by name.
    package static func current(_ selection: Selection) throws(SSDPError) -> [String: NetworkInterface] {
        let entries: [InterfaceAddress]
        do { entries = try InterfaceAddress.all() } catch {
            throw .system(call: error.call, number: error.number)
        }
        let usable = entries.filter { selection.includes($0) && !$0.bytes.isEmpty }
        var interfaces: [String: NetworkInterface] = [:]
        for (name, addresses) in Dictionary(grouping: usable, by: \.interface) {
            let index = if_nametoindex(name)
            guard index > 0 else { continue }
            interfaces[name] = NetworkInterface(
                name: name, index: index, ipv4: Set(addresses.filter(\.isIPv4).map(\.text)),
                ipv6: Set(addresses.filter(\.isIPv6).map(\.text)))
        }
        return interfaces
    }
}
