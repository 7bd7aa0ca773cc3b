import DeviceDiscovery
import Foundation
import Glibc
import NIOCore
import Reachability

/// The kernel's choice of a route to an address. A lookup sends no packets.
enum RouteLookup {
    /// Returns the local address that a connection would have; `nil` if there is no route.
    static func localAddress(to remote: SocketAddress) -> SocketAddress? {
        guard remote.protocol == .inet || remote.protocol == .inet6 else { return nil }
        let family = remote.protocol == .inet6 ? AF_INET6 : AF_INET
        let descriptor = socket(family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let result = remote.withSockAddr { address, length in Glibc.connect(descriptor, address, socklen_t(length)) }
        guard result == 0 else { return nil }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let found = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard found == 0 else { return nil }
        return withUnsafeBytes(of: storage) { bytes in
            family == AF_INET6
                ? SocketAddress(bytes.load(as: sockaddr_in6.self)) : SocketAddress(bytes.load(as: sockaddr_in.self))
        }
    }

    /// Returns the interface that has an address of this computer; `nil` if none has.
    static func interface(of local: SocketAddress) -> NWInterface? {
        guard let bytes = local.host?.bytes else { return nil }
        let entry = ((try? InterfaceAddress.all()) ?? []).first { $0.isUp && $0.bytes == bytes }
        return entry.flatMap { NWInterface(name: $0.interface) }
    }

    /// Returns a Boolean value that indicates whether the parameters allow the route to an address. An unknown route
    /// counts as allowed; the attempt decides.
    static func isAllowed(_ remote: SocketAddress, by parameters: NWParameters) -> Bool {
        guard parameters.isRestricted, parameters.requiredInterface == nil else { return true }
        guard let local = localAddress(to: remote), let interface = interface(of: local) else { return true }
        return parameters.allows(interface)
    }
}

extension NWEndpoint.Host {
    /// The address in network byte order; `nil` for a name.
    fileprivate var bytes: [UInt8]? {
        switch self {
        case .name: nil
        case .ipv4(let address): [UInt8](address.rawValue)
        case .ipv6(let address): [UInt8](address.rawValue)
        }
    }
}
