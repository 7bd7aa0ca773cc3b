import Foundation

/// Sends datagrams from a host of the LAN, to SSDP's group by default.
final class Announcer: Sendable {
    private let descriptor: Int32

    static func start(on host: LabHost) async throws -> Announcer {
        Announcer(
            descriptor: try await host.inNetwork {
                let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
                guard descriptor >= 0 else { throw WaitedInVain(description: "a socket: errno \(errno)") }
                return descriptor
            })
    }

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8], to group: String = "239.255.255.250", port: UInt16 = 1900) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, group, &address.sin_addr)
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// `NOTIFY` of a renderer.
    ///
    /// - Parameter isAlive: `false` for `ssdp:byebye`.
    func notify(_ deviceName: String, location: String, isAlive: Bool = true) {
        let target = "urn:schemas-upnp-org:device:MediaRenderer:1"
        let lines = [
            "NOTIFY * HTTP/1.1", "HOST: 239.255.255.250:1900", "NTS: ssdp:\(isAlive ? "alive" : "byebye")",
            "NT: \(target)", "USN: \(deviceName)::\(target)", "CACHE-CONTROL: max-age=1800",
            "SERVER: hostile/1 UPnP/1.0",
            isAlive ? "LOCATION: \(location)" : "", "", "",
        ].filter { !$0.isEmpty }
        send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    }
}
