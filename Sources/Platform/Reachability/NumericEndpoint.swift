import Glibc

/// A numeric address and a port, ready for a socket.
package struct NumericEndpoint: Sendable, Hashable {
    /// `10.0.0.5`, `fd77::1`, `fe80::1%eth0`.
    package let address: String
    package let port: UInt16

    /// `nil` for a name, and for port 0.
    package init?(address: String, port: Int) {
        guard let port = UInt16(exactly: port), port > 0, Self.storage(address, port) != nil else { return nil }
        self.address = address
        self.port = port
    }

    package var isIPv6: Bool { address.contains(":") }

    /// Calls `body` with the socket address; `nil` if the interface of its scope is gone.
    func withRaw<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result? {
        guard let (storage, length) = Self.storage(address, port) else { return nil }
        return withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    /// Returns whether a socket address has this address, with any port.
    func isHost(of sender: sockaddr_storage) -> Bool {
        guard let (own, _) = Self.storage(address, port), own.ss_family == sender.ss_family else { return false }
        // `sin_addr` is at 4, `sin6_addr` at 8.
        let bytes = isIPv6 ? 8..<24 : 4..<8
        return withUnsafeBytes(of: own) { own in
            withUnsafeBytes(of: sender) { $0[bytes].elementsEqual(own[bytes]) }
        }
    }

    private static func storage(_ address: String, _ port: UInt16) -> (sockaddr_storage, socklen_t)? {
        var storage = sockaddr_storage()
        if address.contains(":") {
            let parts = address.split(separator: "%", maxSplits: 1)
            var six = sockaddr_in6()
            six.sin6_family = sa_family_t(AF_INET6)
            six.sin6_port = port.bigEndian
            guard let bare = parts.first, inet_pton(AF_INET6, String(bare), &six.sin6_addr) == 1 else { return nil }
            if parts.count == 2 {
                six.sin6_scope_id = if_nametoindex(String(parts[1]))
                guard six.sin6_scope_id > 0 else { return nil }
            }
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: six, as: sockaddr_in6.self) }
            return (storage, socklen_t(MemoryLayout<sockaddr_in6>.size))
        }
        var four = sockaddr_in()
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = port.bigEndian
        guard inet_pton(AF_INET, address, &four.sin_addr) == 1 else { return nil }
        withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: four, as: sockaddr_in.self) }
        return (storage, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
}
