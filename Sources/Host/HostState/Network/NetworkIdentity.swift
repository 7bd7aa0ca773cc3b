import Foundation

/// A stable name for the current network, because devices are stored for each network.
///
/// It is the hardware address of the default gateway, which changes only with the router; without a gateway, the
/// subnets; and without subnets, `offline`.
package enum NetworkIdentity {
    /// Name of a machine without any network.
    package static let offline = "offline"

    /// An address of an interface.
    package struct Subnet: Sendable, Hashable {
        package let interface: String
        /// Network order, masked.
        package let prefix: [UInt8]
        /// The number of leading one bits of the mask.
        package let length: Int

        package init(interface: String, prefix: [UInt8], length: Int) {
            self.interface = interface
            self.prefix = prefix
            self.length = length
        }
    }

    /// Returns the name of the current network: `gateway-02:42:ac:11:00:01`, `subnets-` and 16 hexadecimal digits, or
    /// ``offline``.
    package static func current() -> String {
        let routes = (try? String(contentsOfFile: "/proc/net/route", encoding: .utf8)) ?? ""
        let neighbours = (try? String(contentsOfFile: "/proc/net/arp", encoding: .utf8)) ?? ""
        return identity(routes: routes, neighbours: neighbours, subnets: InterfaceSubnets.current())
    }

    /// - Parameters:
    ///   - routes: Text of `/proc/net/route`.
    ///   - neighbours: Text of `/proc/net/arp`.
    package static func identity(routes: String, neighbours: String, subnets: [Subnet]) -> String {
        let gateway = defaultGateway(routes)
        if let gateway, let address = hardwareAddress(of: gateway.address, on: gateway.interface, neighbours) {
            return "gateway-" + address
        }
        // Bridges of containers come and go; only the interface that leads out says where we are.
        let own = subnets.filter { gateway == nil || $0.interface == gateway?.interface }
        guard !own.isEmpty else { return offline }
        let names = Set(own.map { $0.prefix.map { String(format: "%02x", $0) }.joined() + "/\($0.length)" })
        return "subnets-" + String(format: "%016llx", fingerprint(names.sorted().joined(separator: ",")))
    }

    /// Returns the active default route with the lowest metric.
    private static func defaultGateway(_ routes: String) -> (interface: String, address: String)? {
        var best: (metric: Int, interface: String, address: String)?
        for line in routes.split(separator: "\n").dropFirst() {
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count >= 8, fields[1] == "00000000", fields[7] == "00000000",
                let flags = Int(fields[3], radix: 16), flags & 0x3 == 0x3, let metric = Int(fields[6]),
                let raw = UInt32(fields[2], radix: 16), metric < best?.metric ?? .max
            else { continue }
            // The kernel prints the address as a word in the machine's byte order.
            let bytes = withUnsafeBytes(of: raw) { Array($0) }
            best = (metric, String(fields[0]), bytes.map(String.init).joined(separator: "."))
        }
        return best.map { ($0.interface, $0.address) }
    }

    private static func hardwareAddress(
        of address: String, on interface: String, _ neighbours: String
    ) -> String? {
        for line in neighbours.split(separator: "\n").dropFirst() {
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count >= 6, fields[0] == address, fields[5] == interface else { continue }
            let hardware = fields[3].lowercased()
            if hardware.contains(where: { $0 != "0" && $0 != ":" }) { return hardware }
        }
        return nil
    }

    /// FNV-1a, 64 bits: the same in every run, which Swift's own hashing is not.
    private static func fingerprint(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
