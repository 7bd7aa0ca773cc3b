import CNIOLinux  // the socket addresses, which it declares for Swift
import DeviceDiscovery
import Glibc
import NIOCore

/// Lookups with the system's resolver.
enum NameLookup {
    /// Looks up a name. Blocks the calling thread.
    ///
    /// - Returns: Addresses in the system's order of preference (RFC 6724).
    /// - Throws: ``NWError``
    static func addresses(of name: String, port: UInt16, interface: NWInterface?) throws -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(name, nil, &hints, &first)
        guard status == 0 else {
            let code = status == EAI_AGAIN ? kDNSServiceErr_Timeout : kDNSServiceErr_NoSuchName
            throw status == EAI_SYSTEM ? NWError(errno: errno) : NWError.dns(DNSServiceErrorType(code))
        }
        defer { freeaddrinfo(first) }
        return sequence(first: first, next: { $0?.pointee.ai_next }).compactMap { $0?.pointee }.compactMap { entry in
            switch entry.ai_family {
            case AF_INET:
                return entry.ai_addr.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
                    var address = pointer.pointee
                    address.sin_port = port.bigEndian
                    return SocketAddress(address)
                }
            case AF_INET6:
                return entry.ai_addr.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
                    var address = pointer.pointee
                    address.sin6_port = port.bigEndian
                    if let interface, address.sin6_scope_id == 0 { address.sin6_scope_id = UInt32(interface.index) }
                    return SocketAddress(address)
                }
            default: return nil
            }
        }
    }
}
