import DLNAProtocol

/// A renderer in use: its actions, its volume, its events, and the session that plays on it.
@MainActor
final class Renderer {
    let network: RendererNetwork
    let commands: CommandQueue
    let volume: RendererVolume
    private(set) var details: RendererDetails
    private(set) var client: RendererClient
    weak var session: RendererSession?
    /// Called when the device changed its level or mute by itself.
    var volumeChangedByDevice: (() -> Void)?

    private lazy var events = RendererEvents(network: network) { [weak self] in self?.handle($0) }

    init(_ details: RendererDetails, network: RendererNetwork) {
        self.details = details
        self.network = network
        client = RendererClient(details.description, transport: network.transport)
        commands = CommandQueue(time: network.time)
        volume = RendererVolume(details, client: client, commands: commands)
        volume.changed = { [weak self] byDevice in
            self?.session?.showVolume()
            if byDevice { self?.volumeChangedByDevice?() }
        }
    }

    var name: String { details.description.friendlyName }
    var hasEvents: Bool { events.areArriving }

    /// Checks that the device is available, reads its volume, and subscribes to its events.
    ///
    /// - Throws: ``DeviceFailure`` if it doesn't answer as a renderer.
    func activate() async throws(DeviceFailure) {
        _ = try await client.transportInfo()
        await volume.read()
        await events.start(details.description)
    }

    /// The device came back, perhaps elsewhere.
    func moved(to details: RendererDetails) async {
        self.details = details
        client = RendererClient(details.description, transport: network.transport)
        volume.client = client
        await events.start(details.description)
        session?.resynchronize()
    }

    func close() async {
        commands.cancel()
        await events.stop()
    }

    private func handle(_ event: RendererEvents.Event) {
        switch event {
        case .transport(let change): session?.apply(change)
        case .rendering(let change): volume.apply(change)
        case .resynchronize:
            session?.resynchronize()
            Task { await volume.read() }
        }
    }
}
