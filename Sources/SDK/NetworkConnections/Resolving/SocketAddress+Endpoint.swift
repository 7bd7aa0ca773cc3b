import CNIOLinux  // the socket addresses, which it declares for Swift
import DeviceDiscovery
import Foundation
import Glibc
import NIOCore

extension SocketAddress {
    /// Creates an address from a host and port; `nil` for a name.
    init?(_ host: NWEndpoint.Host, _ port: NWEndpoint.Port) {
        switch host {
        case .name: return nil
        case .ipv4(let address):
            var storage = sockaddr_in()
            storage.sin_family = sa_family_t(AF_INET)
            storage.sin_port = port.rawValue.bigEndian
            _ = withUnsafeMutableBytes(of: &storage.sin_addr) { address.rawValue.copyBytes(to: $0) }
            self.init(storage)
        case .ipv6(let address):
            var storage = sockaddr_in6()
            storage.sin6_family = sa_family_t(AF_INET6)
            storage.sin6_port = port.rawValue.bigEndian
            storage.sin6_scope_id = UInt32(clamping: address.interface?.index ?? 0)
            _ = withUnsafeMutableBytes(of: &storage.sin6_addr) { address.rawValue.copyBytes(to: $0) }
            self.init(storage)
        }
    }

    /// The address and port as an endpoint; `nil` for a socket without a path.
    var endpoint: NWEndpoint? {
        switch self {
        case .unixDomainSocket: return pathname.flatMap { $0.isEmpty ? nil : .unix(path: $0) }
        case .v4, .v6: return host.map { .hostPort(host: $0, port: NWEndpoint.Port(UInt16(clamping: port ?? 0))) }
        }
    }

    /// The address without the port; `nil` for the path of a socket.
    var host: NWEndpoint.Host? {
        switch self {
        case .unixDomainSocket: return nil
        case .v4(let address):
            return withUnsafeBytes(of: address.address.sin_addr) { DeviceDiscovery.IPv4Address(Data($0)) }.map {
                .ipv4($0)
            }
        case .v6(let address):
            let bytes = withUnsafeBytes(of: address.address.sin6_addr) { Data($0) }
            let scope = address.address.sin6_scope_id
            return DeviceDiscovery.IPv6Address(bytes, scope == 0 ? nil : NWInterface(index: scope)).map { .ipv6($0) }
        }
    }

    func isAllowed(_ version: NWProtocolIP.Options.Version) -> Bool {
        switch version {
        case .any: true
        case .v4: self.protocol == .inet
        case .v6: self.protocol == .inet6
        }
    }
}
