import MediaDevice
import NetworkConnections
import SystemLog

/// Displays that show a bare H.264 stream from a TCP connection. One with a service for sound plays bare samples from a
/// second connection: signed 16 bits, 48,000 Hz, two channels.
@main
final class RawDisplay: MediaDeviceExtension, RealtimeSampleHandling {
    static let videoType = "_raw-display._tcp"
    static let soundType = "_raw-display-pcm._tcp"

    let protocolType = UTType(exportedAs: "org.example.raw-display")
    let supportsSimultaneousSessions = true

    private lazy var routingManager = MediaDeviceRoutingManager.routingManager(for: self)
    private let log = Logger(subsystem: "org.example.raw-display", category: "requests")
    private var browsers: [NWBrowser] = []
    private var devices: [String: MediaOutputDevice] = [:]
    /// The names of displays with sound.
    private var withSound: Set<String> = []
    private var displays: [MediaOutputDevice.ID: DisplayConnection] = [:]
    private var speakers: [MediaOutputDevice.ID: DisplayConnection] = [:]
    private var deliveries: [MediaOutputSession.ID: ScreenDelivery] = [:]

    init() {}

    // MARK: Discovery

    func startDeviceDiscovery() {
        browsers = [
            browse(Self.videoType) { [weak self] in self?.found($0) },
            browse(Self.soundType) { [weak self] in self?.withSound = $0 },
        ]
    }

    func stopDeviceDiscovery() {
        for browser in browsers { browser.cancel() }
        browsers = []
    }

    private func browse(_ type: String, _ found: @escaping @MainActor (Set<String>) -> Void) -> NWBrowser {
        let browser = NWBrowser(for: .bonjour(type: type, domain: nil), using: .tcp)
        browser.browseResultsChangedHandler = { results, _ in
            let names = results.compactMap { result -> String? in
                guard case .service(let name, _, _, _) = result.endpoint else { return nil }
                return name
            }
            Task { @MainActor in found(Set(names)) }
        }
        browser.start(queue: .main)
        return browser
    }

    private func found(_ names: Set<String>) {
        for name in names where devices[name] == nil {
            let device = MediaOutputDevice(
                id: UUID(version5: "raw-display:" + name, namespace: .mediaOutputDeviceNamespace), displayName: name,
                capabilities: [.realtimeAudioStreaming, .realtimeVideoStreaming],
                canGroupWithCurrentlyActivatedDevices: false, deviceType: .tv, volumeControl: .none, canMute: false,
                requiredNetworkEndpoints: [endpoint(name, Self.videoType)])
            guard let device else { continue }
            devices[name] = device
            routingManager.foundDevice(device)
        }
        for name in Set(devices.keys).subtracting(names) {
            devices.removeValue(forKey: name).map { routingManager.lostDevice($0) }
        }
    }

    private func endpoint(_ name: String, _ type: String) -> NWEndpoint {
        .service(name: name, type: type, domain: "local.", interface: nil)
    }

    // MARK: Activation

    func activateDevice(
        _ device: MediaOutputDevice, session: MediaOutputSession, for deviceFeatures: MediaOutputDevice.Capabilities
    ) {
        log.notice("activate \(device.displayName) for \(deviceFeatures.description, privacy: .public)")
        close(device)
        let display = DisplayConnection(to: device.networkEndpoints[0])
        displays[device.id] = display
        let speaker =
            withSound.contains(device.displayName)
            ? DisplayConnection(to: endpoint(device.displayName, Self.soundType)) : nil
        speakers[device.id] = speaker
        Task {
            do {
                try await display.open()
                try await speaker?.open()
                routingManager.activatedDevice(device, session: session)
            } catch {
                routingManager.failedToActivateDevice(
                    device, session: session,
                    error: MediaDeviceError(.connectionFailed, reason: "\(device.displayName) doesn't answer: \(error)")
                )
            }
        }
    }

    func deactivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession) {
        log.notice("deactivate \(device.displayName)")
        close(device)
    }

    private func close(_ device: MediaOutputDevice) {
        displays.removeValue(forKey: device.id)?.close()
        speakers.removeValue(forKey: device.id)?.close()
    }

    // MARK: Screens

    func startRealtimeSampleDelivery(session: MediaOutputSession) {
        log.notice("start the delivery")
        guard let device = session.devices.first, let display = displays[device.id] else {
            return routingManager.sessionFailed(session, error: MediaDeviceError(.connectionFailed))
        }
        guard session.hasRealtimeVideo else {
            return routingManager.sessionFailed(
                session,
                error: MediaDeviceError(
                    .sessionFailed, detail: .notSupported, reason: "The display needs a picture.")
            )
        }
        do {
            let delivery = ScreenDelivery()
            delivery.start(try MediaVideoReader(session: session), to: display) { [routingManager] error in
                routingManager.sessionFailed(
                    session,
                    error: MediaDeviceError(.connectionFailed, reason: "The display left the connection: \(error)"))
            }
            if let speaker = speakers[device.id] {
                let sound = try MediaSampleReader(session: session, encoding: .signed16, channelCount: 2)
                delivery.start(sound, to: speaker)
            }
            deliveries[session.id] = delivery
        } catch {
            routingManager.sessionFailed(session, error: error)
        }
    }

    func stopRealtimeSampleDelivery(session: MediaOutputSession) {
        log.notice("stop the delivery")
        guard let delivery = deliveries.removeValue(forKey: session.id) else { return }
        delivery.stop()
        routingManager.reportQualityMetricsPassed(delivery.isComplete, forSession: session)
    }

    // MARK: URLs

    /// The host doesn't call it, because the devices don't declare it.
    func startSession(_ session: MediaOutputSession, identifier: String?, url: URL) {
        routingManager.sessionFailed(
            session,
            error: MediaDeviceError(.sessionFailed, detail: .notSupported, reason: "The display plays no URLs."))
    }

    func stopSession(_ session: MediaOutputSession) {}
}
