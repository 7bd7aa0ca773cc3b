import DeviceDiscovery
import NIOCore
import Reachability

/// The path of one ready connection. It detects that the local address disappears and that a new connection would use
/// another path.
struct PathWatch {
    struct News {
        /// The new viability; `nil` if it hasn't changed.
        var viability: Bool?
        var betterPath: Bool?
    }

    private var local: SocketAddress?
    private var remote: SocketAddress?
    private var interface: NWInterface?
    private var isViable = true
    private var hasBetterPath = false

    mutating func begin(_ channel: any Channel) {
        (local, remote) = (channel.localAddress, channel.remoteAddress)
        interface = local.flatMap { RouteLookup.interface(of: $0) }
        (isViable, hasBetterPath) = (true, false)
    }

    /// Checks the path against the current network.
    ///
    /// - Parameter known: The last known addresses of a service; `nil` for other endpoints.
    mutating func check(known: [SocketAddress]?) -> News {
        guard let local, let remote, remote.protocol != .unix else { return News() }
        let isViable = RouteLookup.interface(of: local) != nil
        // Another route counts when it really exists; a service that moved counts as soon as that is known.
        let hasMoved = known.map { !$0.contains(remote) } ?? false
        let routed = RouteLookup.localAddress(to: remote)?.host
        let hasBetterPath = hasMoved || (routed != nil && routed != local.host)
        var news = News()
        if isViable != self.isViable { news.viability = isViable }
        if hasBetterPath != self.hasBetterPath { news.betterPath = hasBetterPath }
        (self.isViable, self.hasBetterPath) = (isViable, hasBetterPath)
        return news
    }

    func path(_ parameters: NWParameters) -> NWPath {
        let entries = (try? InterfaceAddress.all()) ?? []
        let general = NWPath(entries: entries, system: .current()) { parameters.allows($0) }
        return NWPath(
            general, interface: interface, isUsable: isViable, local: local?.endpoint, remote: remote?.endpoint)
    }
}
