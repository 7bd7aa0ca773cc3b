import DeviceDiscovery
import Foundation

/// The name servers and default routes of this computer.
struct SystemRoutes: Equatable, Sendable {
    struct Gateway: Equatable, Sendable {
        let interface: String
        let address: IPv4Address
    }

    var hasNameServer = false
    var gateways: [Gateway] = []

    /// Reads `/etc/resolv.conf` and `/proc/net/route`.
    static func current() -> SystemRoutes {
        // Files of /proc tell no size, by which others are read.
        let text = { (path: String) in
            String(decoding: (try? FileHandle(forReadingAtPath: path)?.readToEnd()) ?? Data(), as: UTF8.self)
        }
        return SystemRoutes(resolver: text("/etc/resolv.conf"), routes: text("/proc/net/route"))
    }

    /// Parses the contents of both files.
    init(resolver: String, routes: String) {
        hasNameServer = resolver.split(separator: "\n").contains { $0.hasPrefix("nameserver") }
        // Interface, destination, gateway and flags; addresses in hexadecimal, in the machine's order of bytes.
        for line in routes.split(separator: "\n").dropFirst() {
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count > 3, fields[1] == "00000000", let flags = UInt32(fields[3], radix: 16), flags & 0x2 != 0,
                let number = UInt32(fields[2], radix: 16),
                let address = IPv4Address(withUnsafeBytes(of: number) { Data($0) })
            else { continue }
            gateways.append(Gateway(interface: String(fields[0]), address: address))
        }
    }
}
