import HostInterface
import LinkProtocol

extension MediaHost {
    /// The highest number of managers. An extension needs one or two.
    private static let mostManagers = 16

    func serve(_ key: BrowserKey, _ request: CentralRequest) {
        switch request.kind {
        case .open: openManager(key)
        case .close: services.centrals.end(key)
        default: services.centrals.send(request, to: key)
        }
    }

    private func openManager(_ key: BrowserKey) {
        guard !services.centrals.isRunning(key), services.centrals.count(of: key.identifier) < Self.mostManagers else {
            return
        }
        let (requests, feed) = AsyncStream.makeStream(of: CentralRequest.self)
        let forwarding = Task { [central, runner] in
            guard let central else {
                var event = CentralEvent(.state)
                event.state = .unsupported
                _ = await runner.tell(.centralEvents(manager: key.browser, [event]), to: key.identifier)
                return
            }
            for await event in await central.open(requests) {
                guard await runner.tell(.centralEvents(manager: key.browser, [event]), to: key.identifier) else {
                    return
                }
            }
        }
        services.centrals.begin(key, forwarding, input: feed)
    }
}
