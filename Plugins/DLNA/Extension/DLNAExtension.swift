import PlaybackKit

/// The extension for DLNA and UPnP renderers: televisions, network speakers, receivers.
@main
final class DLNAExtension: PlayerExtension {
    let protocolType = UTType(exportedAs: "org.mdhost.protocol.dlna")
    private let network: @MainActor () -> RendererNetwork
    private let clock: any Clock<Duration>
    lazy var devices = RendererDevices(network: network, clock: clock)
    lazy var players = PlayerController(devices, for: self, clock: clock)

    required convenience init() { self.init(network: RendererNetwork.ofProcess) }

    /// - Parameters:
    ///   - network: Evaluated at the first announcement or activation.
    ///   - clock: The kit's clock.
    init(
        network: @autoclosure @escaping @MainActor () -> RendererNetwork, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.network = network
        self.clock = clock
    }
}
