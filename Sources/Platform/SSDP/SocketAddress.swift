import Glibc

/// An IPv4 or IPv6 socket address.
struct SocketAddress: Sendable, Hashable {
    let family: SSDPFamily
    /// Numeric, without scope.
    let text: String
    let port: UInt16
    /// Interface index of an IPv6 address that needs one, else 0.
    let scope: UInt32

    init(_ numeric: String, port: UInt16, scope: UInt32 = 0) {
        family = numeric.contains(":") ? .ipv6 : .ipv4
        text = numeric
        self.port = port
        self.scope = scope
    }

    /// `nil` for other families.
    init?(_ raw: UnsafePointer<sockaddr>) {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        switch Int32(raw.pointee.sa_family) {
        case AF_INET:
            family = .ipv4
            let (address, networkPort) = raw.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                ($0.pointee.sin_addr, $0.pointee.sin_port)
            }
            port = UInt16(bigEndian: networkPort)
            scope = 0
            withUnsafePointer(to: address) { _ = inet_ntop(AF_INET, $0, &buffer, socklen_t(buffer.count)) }
        case AF_INET6:
            family = .ipv6
            let (address, networkPort, scopeIndex) = raw.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                ($0.pointee.sin6_addr, $0.pointee.sin6_port, $0.pointee.sin6_scope_id)
            }
            port = UInt16(bigEndian: networkPort)
            scope = scopeIndex
            withUnsafePointer(to: address) { _ = inet_ntop(AF_INET6, $0, &buffer, socklen_t(buffer.count)) }
        default: return nil
        }
        text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func withRaw<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        switch family {
        case .ipv4:
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            inet_pton(AF_INET, text, &address.sin_addr)
            return withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        case .ipv6:
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_scope_id = scope
            inet_pton(AF_INET6, text, &address.sin6_addr)
            return withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
        }
    }
}
