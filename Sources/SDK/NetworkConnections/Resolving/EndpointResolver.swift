import DeviceDiscovery
import Dispatch
import Foundation
import NIOCore
import NIOPosix

/// The target of a connection attempt.
enum ConnectionTarget: Sendable {
    /// The addresses of one host in order of preference, and its name if a service reported it.
    case addresses([SocketAddress], host: String?)
    case unix(String)
}

/// A resolver of one endpoint: it uses an address as it is, looks up a name, and finds a service with the host's shared
/// browser.
///
/// - Note: `@unchecked Sendable`, because all mutable state is used on the event loop only.
final class EndpointResolver: @unchecked Sendable {
    typealias Completion = @Sendable (Result<ConnectionTarget, NWError>) -> Void

    /// The time to wait for a service. An announced service answers within a second.
    private static let patience = TimeAmount.seconds(5)
    /// Addresses of IPv4 and IPv6 come one after the other, and a server may listen on those of one alone.
    private static let gathering = TimeAmount.milliseconds(250)

    private let plan: ConnectionPlan
    private let loop: any EventLoop
    private let slot: DiscoverySourceSlot
    private let changed: @Sendable () -> Void
    private var browser: NWBrowser?
    private var browserError: NWError?
    private var found: (addresses: [SocketAddress], host: String?)?
    private var waiting: Completion?
    private var patience: Scheduled<Void>?
    private var gathering: Scheduled<Void>?
    private var isGathered = false

    /// Creates a resolver.
    ///
    /// - Parameter changed: A closure that runs on the loop when a service has other addresses or is found again.
    init(
        _ plan: ConnectionPlan, _ loop: any EventLoop, slot: DiscoverySourceSlot,
        changed: @escaping @Sendable () -> Void
    ) {
        (self.plan, self.loop, self.slot, self.changed) = (plan, loop, slot, changed)
    }

    deinit {
        browser?.cancel()
        patience?.cancel()
        gathering?.cancel()
    }

    /// The last known addresses of a service; `nil` for other endpoints.
    var known: [SocketAddress]? { found?.addresses }

    func resolve(_ completion: @escaping Completion) {
        switch plan.endpoint {
        case .unix(let path): completion(.success(.unix(path)))
        case .hostPort(let host, let port): resolve(host, port, completion)
        case .url(let url):
            guard let (host, port) = plan.hostPort(of: url) else { return completion(.failure(.posix(.EINVAL))) }
            resolve(host, port, completion)
        case .service(let name, let type, let domain, let interface):
            waiting = completion
            browse(name, type, domain, interface)
            answer()
        }
    }

    private func resolve(_ host: NWEndpoint.Host, _ port: NWEndpoint.Port, _ completion: @escaping Completion) {
        let version = plan.internet.version
        guard case .name(let name, let interface) = host else {
            let addresses = [SocketAddress(host, port)].compactMap { $0 }.filter { $0.isAllowed(version) }
            return completion(
                addresses.isEmpty ? .failure(.posix(.EADDRNOTAVAIL)) : .success(.addresses(addresses, host: nil)))
        }
        NIOThreadPool.singleton.runIfActive(eventLoop: loop) {
            try NameLookup.addresses(of: name, port: port.rawValue, interface: interface)
        }.whenComplete { result in
            switch result {
            case .success(let all):
                let addresses = all.filter { $0.isAllowed(version) }
                completion(
                    addresses.isEmpty
                        ? .failure(.dns(DNSServiceErrorType(kDNSServiceErr_NoSuchName)))
                        : .success(.addresses(addresses, host: nil)))
            case .failure(let error): completion(.failure(NWError(error)))
            }
        }
    }

    // MARK: Services

    private func browse(_ name: String, _ type: String, _ domain: String, _ interface: NWInterface?) {
        if let state = browser?.state, case .failed = state { browser = nil }
        guard browser == nil else { return }
        browserError = nil
        let parameters = plan.parameters.copy()
        if let interface { parameters.requiredInterface = interface }
        let bare = domain.hasSuffix(".") ? String(domain.dropLast()) : domain
        let browser = NWBrowser(
            for: .bonjourWithTXTRecord(type: type, domain: bare.isEmpty || bare == "local" ? nil : bare),
            using: parameters,
            slot: slot)
        let loop = loop
        browser.stateUpdateHandler = { [weak self] state in
            loop.execute { [weak self] in self?.take(state) }
        }
        browser.browseResultsChangedHandler = { [weak self] results, _ in
            let result = results.first { result in
                guard case .service(name, _, _, _) = result.endpoint else { return false }
                return !result.resolvedEndpoints.isEmpty
            }
            loop.execute { [weak self] in self?.take(result) }
        }
        self.browser = browser
        browser.start(queue: DispatchQueue(label: "NWConnection.service"))
    }

    private func take(_ state: NWBrowser.State) {
        switch state {
        case .failed(let error), .waiting(let error):
            browserError = error
            answer()
        case .ready: browserError = nil
        case .setup, .cancelled: break
        }
    }

    private func take(_ result: NWBrowser.Result?) {
        let addresses = (result?.resolvedEndpoints ?? []).compactMap { endpoint -> SocketAddress? in
            guard case .hostPort(let host, let port) = endpoint else { return nil }
            return SocketAddress(host, port)
        }.filter { $0.isAllowed(plan.internet.version) }
        guard addresses != found?.addresses ?? [] else { return }
        // A service that is no longer listed may still be there: its last addresses are kept.
        guard !addresses.isEmpty else { return }
        found = (addresses, result?.hostName)
        if waiting == nil { changed() } else { answer() }
    }

    private func answer() {
        guard let completion = waiting else { return }
        if let found {
            guard isGathered || isWhole(found.addresses) else { return gather() }
            finish(completion, .success(.addresses(found.addresses, host: found.host)))
        } else if let browserError {
            finish(completion, .failure(browserError))
        } else if patience == nil {
            patience = loop.scheduleTask(in: Self.patience) { [weak self] in
                guard let self, let completion = waiting else { return }
                finish(completion, .failure(.dns(DNSServiceErrorType(kDNSServiceErr_NoSuchName))))
            }
        }
    }

    private func isWhole(_ addresses: [SocketAddress]) -> Bool {
        plan.internet.version != .any || Set(addresses.map(\.protocol)).count > 1
    }

    private func gather() {
        guard gathering == nil else { return }
        gathering = loop.scheduleTask(in: Self.gathering) { [weak self] in
            self?.isGathered = true
            self?.answer()
        }
    }

    private func finish(_ completion: Completion, _ result: Result<ConnectionTarget, NWError>) {
        patience?.cancel()
        (patience, waiting) = (nil, nil)
        completion(result)
    }
}
