import AirPlayProtocol
import Foundation
import Logging
import MediaDevice

/// The discovery of receivers: converts the services of the host's browsers to devices, one for each receiver.
@MainActor
final class AirPlayDiscovery {
    private let host: MediaDeviceRoutingManager
    private var browsers: [AirPlayRecord.Service: NWBrowser] = [:]
    private var results: [AirPlayRecord.Service: Set<NWBrowser.Result>] = [:]
    private var catalogue = AirPlayCatalogue()
    private var told: [AirPlayIdentifier: AirPlayReceiverFacts.Obstacle] = [:]
    private let seen: (MediaOutputDevice) -> Void
    private var nextUpdate: Task<Void, Never>?

    /// - Parameter seen: Told of every device that is found or changed, before the host is.
    init(host: MediaDeviceRoutingManager, seen: @escaping (MediaOutputDevice) -> Void = { _ in }) {
        self.host = host
        self.seen = seen
    }

    /// Starts the discovery. It reports every device, including those of an earlier discovery.
    func start() {
        catalogue.findAgain()
        guard browsers.isEmpty else { return update() }
        for service in AirPlayRecord.Service.allCases { browsers[service] = browse(service) }
    }

    func stop() {
        nextUpdate?.cancel()
        for browser in browsers.values { browser.cancel() }
        browsers = [:]
        results = [:]
    }

    private func browse(_ service: AirPlayRecord.Service) -> NWBrowser {
        let browser = NWBrowser(
            for: .bonjourWithTXTRecord(type: service.rawValue, domain: nil), using: NWParameters())
        browser.stateUpdateHandler = { [weak self, weak browser] state in
            let message = browser?.stateMessage
            MainActor.assumeIsolated { self?.stateChanged(state, message) }
        }
        browser.browseResultsChangedHandler = { [weak self] results, _ in
            MainActor.assumeIsolated { self?.resultsChanged(results, of: service) }
        }
        browser.start(queue: .main)
        return browser
    }

    private func stateChanged(_ state: NWBrowser.State, _ message: String?) {
        switch state {
        case .failed:
            stop()
            let reason = message ?? "The network cannot be searched for AirPlay speakers."
            host.discoveryFailed(MediaDeviceError(.discoveryFailed, reason: reason))
        case .waiting: log.info("discovery waits", metadata: ["reason": "\(message ?? "")"])
        case .setup, .ready, .cancelled: break
        }
    }

    private func resultsChanged(_ results: Set<NWBrowser.Result>, of service: AirPlayRecord.Service) {
        guard browsers[service] != nil else { return }
        self.results[service] = results
        update()
    }

    private func update() {
        let endpoints = Dictionary(
            results.values.joined().flatMap(\.resolvedEndpoints).map { ($0.debugDescription, $0) },
            uniquingKeysWith: { first, _ in first })
        let sightings = results.flatMap { service, results in
            results.compactMap { AirPlayCatalogue.Sighting($0, of: service) }
        }
        let now = CMClockGetTime(.hostTimeClock).seconds
        for change in catalogue.update(sightings, at: now) {
            switch change {
            case .found(let receiver):
                MediaOutputDevice(receiver, endpoints).map {
                    seen($0)
                    host.foundDevice($0)
                }
            case .updated(let receiver):
                MediaOutputDevice(receiver, endpoints).map {
                    seen($0)
                    host.updateDevices([$0])
                }
            case .lost(let receiver): MediaOutputDevice(receiver, [:]).map(host.lostDevice)
            }
        }
        nextUpdate?.cancel()
        nextUpdate = catalogue.nextUpdate.map { time in
            Task {
                guard (try? await Task.sleep(for: .seconds(time - now))) != nil else { return }
                update()
            }
        }
        tellWhatIsUnusable()
    }

    private func tellWhatIsUnusable() {
        for (identifier, obstacle) in catalogue.unusable where told[identifier] != obstacle {
            log.info(
                "a receiver is left out", metadata: ["id": "\(identifier)", "reason": "\(obstacle.rawValue)"])
        }
        told = catalogue.unusable
    }
}

extension AirPlayCatalogue.Sighting {
    /// Creates a sighting of a service; `nil` as long as its addresses are unknown, and for a service without an
    /// identifier.
    init?(_ result: NWBrowser.Result, of service: AirPlayRecord.Service) {
        guard case .service(let name, _, _, _) = result.endpoint, case .bonjour(let text) = result.metadata else {
            return nil
        }
        let values = Dictionary(
            text.dictionary.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
        guard let record = AirPlayRecord(service, instance: name, text: values) else { return nil }
        self.init(record: record, endpoints: result.resolvedEndpoints.map(\.debugDescription))
    }
}
