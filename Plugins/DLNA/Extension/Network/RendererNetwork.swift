import NIOCore

/// The network access of renderers.
struct RendererNetwork: Sendable {
    var transport: any DeviceTransport
    var group: any EventLoopGroup
    var servers: EventServers
    var ledger: SubscriptionLedger
    var time: MonotonicTime
    /// The clock for pauses between questions.
    var clock: any Clock<Duration>

    init(
        transport: any DeviceTransport, group: any EventLoopGroup, ledger: SubscriptionLedger = SubscriptionLedger(),
        time: MonotonicTime = .system, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.transport = transport
        self.group = group
        self.ledger = ledger
        self.time = time
        self.clock = clock
        servers = EventServers(group: group)
    }
}
