import NIOPosix

/// The network access of renderers.
struct RendererNetwork: Sendable {
    /// The network of this process, created for the first device.
    static let ofProcess = RendererNetwork(
        transport: DeviceHTTPClient(), servers: EventServers(group: MultiThreadedEventLoopGroup(numberOfThreads: 1)),
        ledger: .ofProcess)

    var transport: any DeviceTransport
    var servers: EventServers
    var ledger = SubscriptionLedger()
    var time = MonotonicTime.system
    /// The clock for pauses between questions.
    var clock: any Clock<Duration> = ContinuousClock()
}
