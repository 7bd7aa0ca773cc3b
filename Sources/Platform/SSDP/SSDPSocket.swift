import Dispatch
import Glibc

/// A UDP socket of one interface: a member of one group there, or the sender of searches that hears their answers.
///
/// Belongs to the actor that opened it; datagrams are handed to it on its queue.
final class SSDPSocket {
    struct Group: Sendable, Hashable {
        let address: String
        let host: String
        var family: SSDPFamily { address.contains(":") ? .ipv6 : .ipv4 }

        static let ipv4 = Group(address: "239.255.255.250", host: "239.255.255.250:1900")
        static let ipv6LinkLocal = Group(address: "ff02::c", host: "[FF02::C]:1900")
        static let ipv6SiteLocal = Group(address: "ff05::c", host: "[FF05::C]:1900")

        static func all(_ family: SSDPFamily) -> [Group] {
            family == .ipv4 ? [.ipv4] : [.ipv6LinkLocal, .ipv6SiteLocal]
        }
    }

    struct Datagram {
        let sender: SocketAddress
        /// One byte more than allowed for a datagram that is too long.
        let bytes: [UInt8]
    }

    static let port: UInt16 = 1900
    /// Routers a search may pass (UPnP Device Architecture 2.0, §1.3.2).
    private static let hops: Int32 = 2
    /// Datagrams read at a time, so that one socket cannot keep the others waiting.
    private static let batch = 64

    let interface: NetworkInterface
    let family: SSDPFamily
    /// A Boolean value that indicates whether the socket sends searches.
    let isSearching: Bool
    private let descriptor: Int32
    private let source: any DispatchSourceRead

    /// Joins `group` on the interface. Other programs may do the same on this machine.
    convenience init(listeningTo group: Group, on interface: NetworkInterface, queue: DispatchQueue)
        throws(SSDPError)
    {
        try self.init(family: group.family, isSearching: false, interface: interface, queue: queue) {
            descriptor throws(SSDPError) in
            // Without this option a member of a group receives it on every interface that any socket joined it on.
            let name = interface.name
            let result = name.withCString {
                setsockopt(descriptor, SOL_SOCKET, SO_BINDTODEVICE, $0, socklen_t(name.utf8.count))
            }
            try Self.check(result, "SO_BINDTODEVICE")
            try Self.set(descriptor, SOL_SOCKET, SO_REUSEADDR, Int32(1), "SO_REUSEADDR")
            // Bound to the group and not to any address: unicast to port 1900 is left to the program that serves it.
            let address = SocketAddress(
                group.address, port: Self.port, scope: group == .ipv6LinkLocal ? interface.index : 0)
            try Self.check(address.withRaw { bind(descriptor, $0, $1) }, "bind")
            switch group.family {
            case .ipv4:
                var request = ip_mreqn()
                inet_pton(AF_INET, group.address, &request.imr_multiaddr)
                request.imr_ifindex = Int32(interface.index)
                try Self.set(descriptor, Int32(IPPROTO_IP), IP_ADD_MEMBERSHIP, request, "IP_ADD_MEMBERSHIP")
            case .ipv6:
                var request = ipv6_mreq()
                inet_pton(AF_INET6, group.address, &request.ipv6mr_multiaddr)
                request.ipv6mr_interface = interface.index
                try Self.set(descriptor, Int32(IPPROTO_IPV6), IPV6_JOIN_GROUP, request, "IPV6_JOIN_GROUP")
            }
        }
    }

    /// Sends searches from a port of its own, where devices answer.
    convenience init(searching family: SSDPFamily, on interface: NetworkInterface, queue: DispatchQueue)
        throws(SSDPError)
    {
        try self.init(family: family, isSearching: true, interface: interface, queue: queue) {
            descriptor throws(SSDPError) in
            switch family {
            case .ipv4:
                var request = ip_mreqn()
                request.imr_ifindex = Int32(interface.index)
                try Self.set(descriptor, Int32(IPPROTO_IP), IP_MULTICAST_IF, request, "IP_MULTICAST_IF")
                try Self.set(descriptor, Int32(IPPROTO_IP), IP_MULTICAST_TTL, Self.hops, "IP_MULTICAST_TTL")
            case .ipv6:
                let index = Int32(interface.index)
                try Self.set(descriptor, Int32(IPPROTO_IPV6), IPV6_MULTICAST_IF, index, "IPV6_MULTICAST_IF")
                try Self.set(descriptor, Int32(IPPROTO_IPV6), IPV6_MULTICAST_HOPS, Self.hops, "IPV6_MULTICAST_HOPS")
            }
            let any = SocketAddress(family == .ipv4 ? "0.0.0.0" : "::", port: 0)
            try Self.check(any.withRaw { bind(descriptor, $0, $1) }, "bind")
        }
    }

    private init(
        family: SSDPFamily, isSearching: Bool, interface: NetworkInterface, queue: DispatchQueue,
        configure: (Int32) throws(SSDPError) -> Void
    ) throws(SSDPError) {
        let flags = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family == .ipv4 ? AF_INET : AF_INET6, flags, 0)
        guard descriptor >= 0 else { throw .system(call: "socket", number: errno) }
        do throws(SSDPError) {
            if family == .ipv6 { try Self.set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, Int32(1), "IPV6_V6ONLY") }
            try configure(descriptor)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.family = family
        self.isSearching = isSearching
        self.interface = interface
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setCancelHandler { close(descriptor) }
    }

    /// Calls `handler` on the queue whenever datagrams wait.
    func start(_ handler: @escaping @Sendable () -> Void) {
        source.setEventHandler { handler() }
        source.resume()
    }

    /// Closes the socket; must follow ``start(_:)``.
    func stop() {
        source.cancel()
    }

    /// The datagrams that wait, a limited number at a time.
    func receive() -> [Datagram] {
        var datagrams: [Datagram] = []
        var buffer = [UInt8](repeating: 0, count: SSDPMessage.maximumSize + 1)
        while datagrams.count < Self.batch {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let count = withUnsafeMutablePointer(to: &storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    recvfrom(descriptor, &buffer, buffer.count, 0, $0, &length)
                }
            }
            guard count >= 0 else { break }
            let sender = withUnsafePointer(to: &storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { SocketAddress($0) }
            }
            guard let sender else { continue }
            datagrams.append(Datagram(sender: sender, bytes: Array(buffer[..<count])))
        }
        return datagrams
    }

    /// Sends to a group on this socket's interface.
    func send(_ bytes: [UInt8], to group: Group) throws(SSDPError) {
        let address = SocketAddress(group.address, port: Self.port, scope: interface.index)
        let count = address.withRaw { raw, length in sendto(descriptor, bytes, bytes.count, 0, raw, length) }
        guard count == bytes.count else { throw .system(call: "sendto", number: errno) }
    }

    private static func set<Value>(
        _ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Value, _ name: String
    ) throws(SSDPError) {
        let result = withUnsafeBytes(of: value) {
            setsockopt(descriptor, level, option, $0.baseAddress, socklen_t($0.count))
        }
        try check(result, name)
    }

    private static func check(_ result: Int32, _ call: String) throws(SSDPError) {
        guard result >= 0 else { throw .system(call: call, number: errno) }
    }
}
