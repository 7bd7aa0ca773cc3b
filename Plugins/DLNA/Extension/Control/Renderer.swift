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

    private var resynchronizing: Task<Void, Never>?
    private var isResynchronizationDue = false

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
        resynchronize()
    }

    func close() async {
        commands.cancel()
        resynchronizing?.cancel()
        await events.stop()
    }

    func handle(_ event: RendererEvents.Event) {
        switch event {
        case .transport(let change): session?.apply(change)
        case .rendering(let change): volume.apply(change)
        case .resynchronize: resynchronize()
        }
    }

    /// Asks the device for everything, as events may have been missed. Any number of unreadable events while it answers
    /// cause one more round of questions: a device can send them faster than it answers.
    private func resynchronize() {
        isResynchronizationDue = true
        guard resynchronizing == nil else { return }
        resynchronizing = Task { [weak self] in
            while let self, isResynchronizationDue, !Task.isCancelled {
                isResynchronizationDue = false
                await session?.resynchronize()
                await volume.read()
            }
            self?.resynchronizing = nil
        }
    }
}
