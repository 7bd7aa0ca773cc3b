public import DeviceDiscovery
import Foundation
import Reachability

/// The network as available to one connection, or to new ones.
public struct NWPath: Hashable, Sendable, CustomDebugStringConvertible {
    /// The availability of a path.
    public enum Status: Hashable, Sendable {
        /// The path can be used.
        case satisfied
        /// No allowed interface has an address.
        case unsatisfied
        /// A connection attempt would make the path usable. Never used on Linux.
        case requiresConnection
    }

    /// A reason why a path can't be used.
    public enum UnsatisfiedReason: Hashable, Sendable {
        /// No network is available. Linux reports only this reason.
        case notAvailable
        /// Mobile data is denied. Never used on Linux.
        case cellularDenied
        /// Wi-Fi is denied. Never used on Linux.
        case wifiDenied
        /// The local network is denied. Never used on Linux.
        case localNetworkDenied
    }

    /// The availability of the path.
    public let status: Status
    /// The interfaces that are up and have an address; wired before wireless before mobile.
    public let availableInterfaces: [NWInterface]
    /// A Boolean value that indicates whether an IPv4 address other than loopback is available.
    public let supportsIPv4: Bool
    /// A Boolean value that indicates whether an IPv6 address other than loopback and link-local ones is available.
    public let supportsIPv6: Bool
    /// A Boolean value that indicates whether a name server is configured.
    public let supportsDNS: Bool
    /// A Boolean value that indicates whether only mobile interfaces are available.
    public let isExpensive: Bool
    /// A Boolean value that indicates whether the network asks for little traffic; always `false` on Linux.
    public let isConstrained: Bool
    /// The routers of the default IPv4 routes, with port 0.
    public let gateways: [NWEndpoint]
    /// The local end of a connection; `nil` for a path without a connection.
    public let localEndpoint: NWEndpoint?
    /// The remote end of a connection; `nil` for a path without a connection.
    public let remoteEndpoint: NWEndpoint?

    /// The reason why the path can't be used; meaningful only if it isn't `satisfied`.
    public var unsatisfiedReason: UnsatisfiedReason { .notAvailable }

    /// Returns a Boolean value that indicates whether the path uses an interface of a type.
    public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool {
        availableInterfaces.contains { $0.type == type }
    }

    /// The status and the names of the interfaces.
    public var debugDescription: String {
        "\(status == .satisfied ? "satisfied" : "unsatisfied") (\(availableInterfaces.map(\.name).joined(separator: ", ")))"
    }
}

extension NWPath {
    /// Creates the path of new connections.
    ///
    /// - Parameters:
    ///   - entries: All addresses of this computer.
    ///   - system: The system's name servers and routes.
    ///   - allows: Returns `true` for an interface that may be used.
    init(entries: [InterfaceAddress], system: SystemRoutes, allows: (NWInterface) -> Bool) {
        let usable = entries.filter { $0.isUp && $0.isRunning && !$0.isLoopback && !$0.bytes.isEmpty }
        let names = Set(usable.map(\.interface)).sorted()
        let interfaces = names.compactMap(NWInterface.init(name:)).filter(allows)
            .sorted { ($0.type.rank, $0.index) < ($1.type.rank, $1.index) }
        let chosen = Set(interfaces.map(\.name))
        let own = usable.filter { chosen.contains($0.interface) }
        status = interfaces.isEmpty ? .unsatisfied : .satisfied
        availableInterfaces = interfaces
        supportsIPv4 = own.contains { $0.isIPv4 }
        supportsIPv6 = own.contains { $0.isIPv6 && !$0.isLinkLocal }
        supportsDNS = !interfaces.isEmpty && system.hasNameServer
        isExpensive = !interfaces.isEmpty && interfaces.allSatisfy { $0.type == .cellular }
        isConstrained = false
        gateways = system.gateways.filter { chosen.contains($0.interface) }.map {
            .hostPort(host: .ipv4($0.address), port: 0)
        }
        localEndpoint = nil
        remoteEndpoint = nil
    }

    /// Creates the path of a connection.
    init(_ path: NWPath, interface: NWInterface?, isUsable: Bool, local: NWEndpoint?, remote: NWEndpoint?) {
        status = isUsable ? .satisfied : .unsatisfied
        availableInterfaces = interface.map { [$0] } ?? path.availableInterfaces
        (supportsIPv4, supportsIPv6, supportsDNS) = (path.supportsIPv4, path.supportsIPv6, path.supportsDNS)
        isExpensive = interface.map { $0.type == .cellular } ?? path.isExpensive
        isConstrained = false
        gateways = path.gateways
        (localEndpoint, remoteEndpoint) = (local, remote)
    }
}

extension NWInterface.InterfaceType {
    /// The order of preference.
    fileprivate var rank: Int {
        switch self {
        case .wiredEthernet: 0
        case .wifi: 1
        case .other: 2
        case .cellular: 3
        case .loopback: 4
        }
    }
}
