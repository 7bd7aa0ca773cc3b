import DLNAProtocol
import DeviceConnections

/// The events of one renderer's services as one stream.
@MainActor
final class RendererEvents {
    enum Event: Sendable, Hashable {
        case transport(TransportChange)
        case rendering(RenderingChange)
        /// Something was or may have been missed.
        case resynchronize
    }

    private let network: RendererNetwork
    private let receive: (Event) -> Void
    private var subscriptions:
        [(subscriber: EventSubscriber, server: EventServer, path: String, task: Task<Void, Never>)] =
            []

    /// A Boolean value that indicates whether the transport's events arrive. A subscription isn't enough, because a
    /// firewall can block them.
    private(set) var areArriving = false

    init(network: RendererNetwork, receive: @escaping (Event) -> Void) {
        self.network = network
        self.receive = receive
    }

    /// Subscribes to all services of the renderer. The session polls those without events.
    func start(_ description: RendererDescription) async {
        await stop()
        guard
            let endpoint = try? HTTPExchange.endpoint(of: description.location),
            let addresses = try? await ConnectionAddresses.reaching(endpoint),
            let server = try? await network.servers.server(on: addresses.local)
        else { return }
        for service in [description.transport, description.rendering].compactMap({ $0 }) {
            guard let eventURL = service.eventURL else { continue }
            let (callback, path) = server.makeCallback()
            let subscriber = EventSubscriber(
                service: eventURL, callback: callback, transport: network.transport, ledger: network.ledger,
                time: network.time)
            server.register(
                .init(device: addresses.remote) { await subscriber.receive($0, $1) }, path: path)
            let isTransport = service.type == description.transport.type
            let task = Task { [weak self] in
                for await output in subscriber.outputs { self?.handle(output, isTransport: isTransport) }
            }
            subscriptions.append((subscriber, server, path, task))
        }
        for (subscriber, _, _, _) in subscriptions { await subscriber.start() }
    }

    /// Ends all subscriptions, also on the device.
    func stop() async {
        let ended = subscriptions
        subscriptions = []
        areArriving = false
        await withTaskGroup { group in
            for (subscriber, server, path, _) in ended {
                group.addTask {
                    await subscriber.stop()
                    server.remove(path: path)
                }
            }
        }
    }

    private func handle(_ output: EventSubscriber.Output, isTransport: Bool) {
        switch output {
        case .polling(let isPolling):
            if isTransport, isPolling { areArriving = false }
        case .resynchronize: receive(.resynchronize)
        case .properties(let values):
            if isTransport { areArriving = true }
            guard let text = values["LastChange"] else { return }
            guard let change = try? LastChange(parsing: text) else { return receive(.resynchronize) }
            receive(isTransport ? .transport(TransportChange(change)) : .rendering(RenderingChange(change)))
        }
    }
}
