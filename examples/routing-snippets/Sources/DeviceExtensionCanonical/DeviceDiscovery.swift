import MediaDevice

/// Finds the devices with Bonjour and reports them.
@MainActor
final class DeviceDiscovery {
    private let routingManager: MediaDeviceRoutingManager
    private let browser: NWBrowser
    private var devices: [NWEndpoint: MediaOutputDevice] = [:]

    init(reportingTo routingManager: MediaDeviceRoutingManager) {
        self.routingManager = routingManager
        browser = NWBrowser(for: .bonjourWithTXTRecord(type: "_myprotocol._tcp", domain: nil), using: .tcp)
    }

    func start() {
        browser.stateUpdateHandler = { [weak self] state in
            guard case .failed = state else { return }
            Task { @MainActor in
                self?.routingManager.discoveryFailed(MediaDeviceError(.discoveryFailed))
            }
        }
        browser.browseResultsChangedHandler = { [weak self] _, changes in
            Task { @MainActor in self?.apply(changes) }
        }
        browser.start(queue: .main)
    }

    func stop() { browser.cancel() }

    private func apply(_ changes: Set<NWBrowser.Result.Change>) {
        for change in changes {
            switch change {
            case .added(let result):
                guard let device = Self.device(for: result) else { continue }
                devices[result.endpoint] = device
                routingManager.foundDevice(device)
            case .changed(_, let result, _):
                guard let device = Self.device(for: result) else { continue }
                devices[result.endpoint] = device
                routingManager.updateDevices([device])
            case .removed(let result):
                guard let device = devices.removeValue(forKey: result.endpoint) else { continue }
                routingManager.lostDevice(device)
            default: continue
            }
        }
    }

    /// The device a service stands for; `nil` if it has no identifier of its own.
    static func device(for result: NWBrowser.Result) -> MediaOutputDevice? {
        guard case .service(let name, _, _, _) = result.endpoint, case .bonjour(let record) = result.metadata,
            let identifier = record["id"].flatMap(UUID.init(uuidString:))
        else { return nil }
        return MediaOutputDevice(
            id: identifier, displayName: record["fn"] ?? name, capabilities: [.urlPlayback, .appLaunch],
            canGroupWithCurrentlyActivatedDevices: false, deviceType: .tv, volumeControl: .absolute, canMute: true,
            requiredNetworkEndpoints: [result.endpoint], txtRecords: [record])
    }
}
