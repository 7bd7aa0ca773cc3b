import Foundation
import MPDProtocol
import MediaDevice

/// Turns the services the host's browser sees into devices.
@MainActor
final class MPDDiscovery {
    static let serviceType = "_mpd._tcp"

    private let host: MediaDeviceRoutingManager
    private var browser: NWBrowser?
    private var catalogue = MPDCatalogue()
    private lazy var memory = MPDMemory(folder: host.stateDirectory)
    private var results: Set<NWBrowser.Result> = []
    private let seen: (MediaOutputDevice) -> MediaOutputDevice

    /// - Parameter seen: Told of every device that is found or changed; gives it as it is to be reported.
    init(host: MediaDeviceRoutingManager, seen: @escaping (MediaOutputDevice) -> MediaOutputDevice = { $0 }) {
        self.host = host
        self.seen = seen
    }

    /// Begins to look; everything found is reported, also what an earlier search had found.
    func start() {
        catalogue = MPDCatalogue(places: memory.places)
        guard browser == nil else { return resultsChanged(results) }
        let browser = NWBrowser(for: .bonjourWithTXTRecord(type: Self.serviceType, domain: nil), using: NWParameters())
        browser.stateUpdateHandler = { [weak self, weak browser] state in
            let message = browser?.stateMessage
            MainActor.assumeIsolated { self?.stateChanged(state, message) }
        }
        browser.browseResultsChangedHandler = { [weak self] results, _ in
            MainActor.assumeIsolated { self?.resultsChanged(results) }
        }
        self.browser = browser
        browser.start(queue: .main)
    }

    func stop() {
        browser?.cancel()
        browser = nil
        results = []
    }

    private func stateChanged(_ state: NWBrowser.State, _ message: String?) {
        switch state {
        case .failed:
            stop()
            let reason = message ?? "The network cannot be searched for MPD servers."
            host.discoveryFailed(MediaDeviceError(.discoveryFailed, reason: reason))
        case .waiting: log.info("discovery waits", metadata: ["reason": "\(message ?? "")"])
        case .setup, .ready, .cancelled: break
        }
    }

    func resultsChanged(_ results: Set<NWBrowser.Result>) {
        guard browser != nil else { return }
        self.results = results
        let endpoints = Dictionary(
            results.flatMap(\.resolvedEndpoints).map { ($0.debugDescription, $0) },
            uniquingKeysWith: { first, _ in first })
        for change in catalogue.update(results.compactMap(MPDCatalogue.Sighting.init)) {
            switch change {
            case .found(let server): Self.device(server, endpoints).map { host.foundDevice(seen($0)) }
            case .updated(let server): Self.device(server, endpoints).map { host.updateDevices([seen($0)]) }
            case .lost(let server): Self.device(server, endpoints, isGone: true).map(host.lostDevice)
            }
        }
        memory.keep(catalogue.places)
    }

    /// The level is announced as adjustable, which it is unless the server has no mixer; that shows on activation.
    private static func device(
        _ server: MPDCatalogue.Server, _ endpoints: [String: NWEndpoint], isGone: Bool = false
    ) -> MediaOutputDevice? {
        let known = server.endpoints.compactMap { endpoints[$0] }
        // A lost server's endpoints are not among the results any more; the host goes by its identifier.
        let placeholder: [NWEndpoint] = [
            .service(name: server.name, type: serviceType, domain: "local.", interface: nil)
        ]
        return MediaOutputDevice(
            id: UUID(version5: server.stableText), displayName: server.name, capabilities: .urlPlayback,
            canGroupWithCurrentlyActivatedDevices: false, deviceType: .hifiSpeaker, volumeControl: .absolute,
            canMute: false, requiredNetworkEndpoints: isGone ? placeholder : known)
    }
}

extension MPDCatalogue.Sighting {
    /// `nil` while the service's addresses are not known.
    init?(_ result: NWBrowser.Result) {
        guard case .service(let name, _, _, _) = result.endpoint,
            case .hostPort(_, let port)? = result.resolvedEndpoints.first
        else { return nil }
        self.init(
            service: name, host: result.hostName ?? "", port: Int(port.rawValue),
            endpoints: result.resolvedEndpoints.map(\.debugDescription))
    }
}

extension MPDAddress {
    /// `nil` for an endpoint that is no address and port.
    init?(_ endpoint: NWEndpoint) {
        guard case .hostPort(let host, let port) = endpoint else { return nil }
        self.init(host: host.debugDescription, port: Int(port.rawValue))
    }
}
