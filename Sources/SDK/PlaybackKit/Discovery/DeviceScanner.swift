public import MediaDevice

/// The discovery of a protocol's devices: browses for their announcements and reports the devices to the host.
///
/// Extensions built with the kit have one already. Another one creates it, and calls ``start()`` and ``stop()`` in
/// `startDeviceDiscovery()` and `stopDeviceDiscovery()`.
@MainActor
public final class DeviceScanner<Described: DiscoveryProtocol> {
    private enum Browser {
        case bonjour(NWBrowser)
        case ssdp(SSDPBrowser)

        func cancel() {
            switch self {
            case .bonjour(let browser): browser.cancel()
            case .ssdp(let browser): browser.cancel()
            }
        }
    }

    private let described: Described
    private let host: MediaDeviceRoutingManager
    private let adjust: @MainActor (MediaOutputDevice) -> MediaOutputDevice
    private var catalogue: DeviceCatalogue
    private var browsers: [Browser] = []
    /// The task that follows the devices that the protocol discovers by itself, and those devices.
    private var following: Task<Void, Never>?
    private var followed: [MediaOutputDevice.ID: MediaOutputDevice] = [:]

    /// Creates a scanner.
    ///
    /// - Parameters:
    ///   - described: The protocol.
    ///   - host: The host, which gets the reports.
    ///   - adjust: A function that receives every device that was discovered or changed, and returns the device to report.
    ///     By default, it is the same.
    public init(
        _ described: Described, host: MediaDeviceRoutingManager,
        adjust: @escaping @MainActor (MediaOutputDevice) -> MediaOutputDevice = { $0 }
    ) {
        self.described = described
        self.host = host
        self.adjust = adjust
        catalogue = DeviceCatalogue(sources: described.sources)
    }

    /// Starts the browsers, or reports the devices they have already found.
    public func start() {
        for device in described.ownDevices { host.foundDevice(adjust(device)) }
        guard following != nil else { return keepWatching() }
        for device in catalogue.devices + followed.values { host.foundDevice(adjust(device)) }
    }

    /// Starts the browsers for a device that is in use or wanted, whose address may change. It doesn't report devices
    /// again.
    public func keepWatching() {
        guard following == nil else { return }
        browsers = described.sources.map(makeBrowser)
        let changes = described.deviceChanges()
        following = Task { [weak self] in
            for await change in changes where !Task.isCancelled { self?.follow(change) }
        }
    }

    /// Stops the browsers and forgets the devices.
    public func stop() {
        for browser in browsers { browser.cancel() }
        browsers = []
        following?.cancel()
        following = nil
        followed = [:]
        catalogue = DeviceCatalogue(sources: described.sources)
    }

    private func makeBrowser(_ source: SightingSource) -> Browser {
        switch source {
        case .bonjour(let type):
            let browser = NWBrowser(for: .bonjourWithTXTRecord(type: type, domain: nil), using: NWParameters())
            browser.stateUpdateHandler = { [weak self, weak browser] state in
                let message = browser?.stateMessage
                MainActor.assumeIsolated { self?.stateChanged(state, message) }
            }
            browser.browseResultsChangedHandler = { [weak self] results, _ in
                MainActor.assumeIsolated { self?.sees(Set(results.map { Sighting($0, from: source) }), source) }
            }
            browser.start(queue: .main)
            return .bonjour(browser)
        case .ssdp(let target):
            let browser = SSDPBrowser(searchTarget: target)
            browser.stateUpdateHandler = { [weak self, weak browser] state in
                let message = browser?.stateMessage
                MainActor.assumeIsolated { self?.stateChanged(state, message) }
            }
            browser.browseResultsChangedHandler = { [weak self] results, _ in
                MainActor.assumeIsolated { self?.sees(Set(results.map { Sighting($0, from: source) }), source) }
            }
            browser.start(queue: .main)
            return .ssdp(browser)
        }
    }

    private func sees(_ sightings: Set<Sighting>, _ source: SightingSource) {
        guard !browsers.isEmpty else { return }
        let changes = catalogue.update(
            source, sightings, identities: described.identities(of:), device: described.device(_:from:))
        changes.forEach(report)
    }

    private func follow(_ change: DeviceChange) {
        switch change {
        case .found(let device), .updated(let device): followed[device.id] = device
        case .lost(let device): followed[device.id] = nil
        }
        report(change)
    }

    private func report(_ change: DeviceChange) {
        switch change {
        case .found(let device): host.foundDevice(adjust(device))
        case .updated(let device): host.updateDevices([adjust(device)])
        case .lost(let device): host.lostDevice(device)
        }
    }

    private func stateChanged(_ state: NWBrowser.State, _ message: String?) {
        guard case .failed = state else { return }
        stop()
        host.discoveryFailed(
            MediaDeviceError(.discoveryFailed, reason: message ?? "The network can't be searched."))
    }
}
