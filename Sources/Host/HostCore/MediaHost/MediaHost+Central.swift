import HostInterface

/// A central manager of an extension, as the host serves it.
struct CentralManager {
    let requests: AsyncStream<CentralRequest>.Continuation
    let forwarding: Task<Void, Never>

    func end() {
        requests.finish()
        forwarding.cancel()
    }
}

extension MediaHost {
    /// The highest number of managers. An extension needs one or two.
    private static let mostManagers = 16

    func serve(_ key: BrowserKey, _ request: CentralRequest) {
        switch request.kind {
        case .open: openManager(key)
        case .close: centralManagers.removeValue(forKey: key)?.end()
        default: centralManagers[key]?.requests.yield(request)
        }
    }

    private func openManager(_ key: BrowserKey) {
        let others = centralManagers.keys.count { $0.identifier == key.identifier }
        guard centralManagers[key] == nil, others < Self.mostManagers else { return }
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
        centralManagers[key] = CentralManager(requests: feed, forwarding: forwarding)
    }

    func endCentrals(of identifier: String) {
        for key in centralManagers.keys.filter({ $0.identifier == identifier }) {
            centralManagers.removeValue(forKey: key)?.end()
        }
    }
}
