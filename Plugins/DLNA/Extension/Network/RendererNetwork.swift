import NIOCore

/// The network access of renderers.
struct RendererNetwork: Sendable {
    var transport: any DeviceTransport
    var group: any EventLoopGroup
    var servers: EventServers
    var ledger: SubscriptionLedger
    var time: MonotonicTime

    init(
        transport: any DeviceTransport, group: any EventLoopGroup, ledger: SubscriptionLedger = SubscriptionLedger(),
        time: MonotonicTime = .system
    ) {
        self.transport = transport
        self.group = group
        self.ledger = ledger
        self.time = time
        servers = EventServers(group: group)
    }
}
