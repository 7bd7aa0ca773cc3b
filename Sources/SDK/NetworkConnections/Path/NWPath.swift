import DeviceDiscovery
import Foundation
import Reachability

/// The network as a connection, or a new one, can use it.
public struct NWPath: Hashable, Sendable, CustomDebugStringConvertible {
    /// Whether the path can be used.
    public enum Status: Hashable, Sendable {
        /// It can.
        case satisfied
        /// No interface that is allowed has an address.
        case unsatisfied
        /// A connection attempt would make it usable. Linux has no such paths.
        case requiresConnection
    }

    /// The reason for which a path cannot be used.
    public enum UnsatisfiedReason: Hashable, Sendable {
        case notAvailable
        case cellularDenied
        case wifiDenied
        case localNetworkDenied
    }

    /// Whether the path can be used.
    public let status: Status
    /// Interfaces that are up and have an address, wired before wireless before mobile.
    public let availableInterfaces: [NWInterface]
    /// Whether there is an address of version 4 other than loopback.
    public let supportsIPv4: Bool
    /// Whether there is an address of version 6 other than loopback and link-local ones.
    public let supportsIPv6: Bool
    /// Whether a name server is configured.
    public let supportsDNS: Bool
    /// Whether only mobile interfaces are available.
    public let isExpensive: Bool
    /// Whether the network asks for little traffic. Linux knows no such networks.
    public let isConstrained: Bool
    /// The routers of default routes (IPv4), port 0.
    public let gateways: [NWEndpoint]
    /// This machine's end of a connection; `nil` for a path without one.
    public let localEndpoint: NWEndpoint?
    /// The other end of a connection; `nil` for a path without one.
    public let remoteEndpoint: NWEndpoint?

    /// The reason for which the path cannot be used.
    public var unsatisfiedReason: UnsatisfiedReason { .notAvailable }

    /// Returns whether the path uses an interface of a type.
    public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool {
        availableInterfaces.contains { $0.type == type }
    }

    /// Whether it can be used, and the interfaces.
    public var debugDescription: String {
        "\(status == .satisfied ? "satisfied" : "unsatisfied") (\(availableInterfaces.map(\.name).joined(separator: ", ")))"
    }
}

extension NWPath {
    /// The path of new connections.
    ///
    /// - Parameters:
    ///   - entries: All addresses of this machine.
    ///   - system: The system's name servers and routes.
    ///   - allows: Whether an interface may be used.
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

    /// The path of a connection.
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
