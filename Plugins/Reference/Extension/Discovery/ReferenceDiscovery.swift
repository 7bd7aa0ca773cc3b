import Foundation
import MediaDevice
import ReferenceProtocol

/// The discovery of receivers: converts the services of the host's browser to devices.
@MainActor
final class ReferenceDiscovery {
    private let host: MediaDeviceRoutingManager
    private var browser: NWBrowser?
    private var known: [MediaOutputDevice.ID: MediaOutputDevice] = [:]

    init(host: MediaDeviceRoutingManager) { self.host = host }

    /// Starts the discovery. It reports every device, including those of an earlier discovery.
    func start() {
        guard browser == nil else { return }
        known = [:]
        let browser = NWBrowser(
            for: .bonjourWithTXTRecord(type: ReferenceAnnouncement.serviceType, domain: nil), using: NWParameters())
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
    }

    private func stateChanged(_ state: NWBrowser.State, _ message: String?) {
        guard case .failed = state else { return }
        stop()
        let reason = message ?? "The network cannot be searched for reference receivers."
        host.discoveryFailed(MediaDeviceError(.discoveryFailed, reason: reason))
    }

    private func resultsChanged(_ results: Set<NWBrowser.Result>) {
        guard browser != nil else { return }
        let devices = Dictionary(results.compactMap(MediaOutputDevice.init).map { ($0.id, $0) }) { first, _ in first }
        for (id, device) in known where devices[id] == nil { host.lostDevice(device) }
        for (id, device) in devices {
            if let before = known[id] {
                if !device.looksLike(before) { host.updateDevices([device]) }
            } else {
                host.foundDevice(device)
            }
        }
        known = devices
    }
}

extension MediaOutputDevice {
    /// Creates a device from a service.
    ///
    /// - Returns: `nil` as long as the addresses of the service are unknown, and for another version of the protocol.
    init?(_ result: NWBrowser.Result) {
        guard case .service(let name, _, _, _) = result.endpoint, case .bonjour(let record) = result.metadata,
            let announcement = ReferenceAnnouncement(txt: record.dictionary)
        else { return nil }
        let isSpeaker = announcement.kind == .speaker
        self.init(
            id: UUID(uuidString: announcement.id) ?? UUID(version5: "reference:\(announcement.id)"), displayName: name,
            capabilities: [.urlPlayback, .appLaunch],
            canGroupWithCurrentlyActivatedDevices: announcement.canGroup, deviceType: isSpeaker ? .hifiSpeaker : .tv,
            volumeControl: announcement.volume.asVolumeControl, canMute: announcement.volume != .none,
            requiredNetworkEndpoints: result.resolvedEndpoints, txtRecords: [record])
        deduplicationIdentifiers = Set(announcement.alsoKnownAs)
    }

    /// Returns a Boolean value that indicates whether two devices look the same to people and the host.
    fileprivate func looksLike(_ other: MediaOutputDevice) -> Bool {
        displayName == other.displayName && networkEndpoints == other.networkEndpoints
            && txtRecords.map(\.dictionary) == other.txtRecords.map(\.dictionary)
    }
}

extension ReferenceAnnouncement.Volume {
    fileprivate var asVolumeControl: MediaOutputDevice.VolumeControl {
        switch self {
        case .absolute: .absolute
        case .relative: .relative
        case .none: .none
        }
    }
}
