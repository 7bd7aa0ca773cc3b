import MediaDevice
import NetworkConnections
import SystemLog

/// Speakers that play bare samples from a TCP connection: signed 16 bits, 44,100 Hz, two channels. They take no URLs:
/// the host decodes those, and delivers samples.
@main
final class RawSpeaker: MediaDeviceExtension, RealtimeSampleHandling {
    static let serviceType = "_raw-speaker._tcp"

    let protocolType = UTType(exportedAs: "org.example.raw-speaker")
    let supportsSimultaneousSessions = true

    private lazy var routingManager = MediaDeviceRoutingManager.routingManager(for: self)
    private let log = Logger(subsystem: "org.example.raw-speaker", category: "requests")
    private var browser: NWBrowser?
    private var devices: [String: MediaOutputDevice] = [:]
    private var connections: [MediaOutputDevice.ID: SpeakerConnection] = [:]
    private var deliveries: [MediaOutputSession.ID: SampleDelivery] = [:]

    init() {}

    // MARK: Discovery

    func startDeviceDiscovery() {
        let browser = NWBrowser(for: .bonjour(type: Self.serviceType, domain: nil), using: .tcp)
        browser.browseResultsChangedHandler = { [weak self] results, _ in
            let names = results.compactMap { result -> String? in
                guard case .service(let name, _, _, _) = result.endpoint else { return nil }
                return name
            }
            Task { @MainActor in self?.found(Set(names)) }
        }
        browser.start(queue: .main)
        self.browser = browser
    }

    func stopDeviceDiscovery() {
        browser?.cancel()
        browser = nil
    }

    private func found(_ names: Set<String>) {
        for name in names where devices[name] == nil {
            let device = MediaOutputDevice(
                id: UUID(version5: "raw-speaker:" + name, namespace: .mediaOutputDeviceNamespace), displayName: name,
                capabilities: .realtimeAudioStreaming, canGroupWithCurrentlyActivatedDevices: false,
                deviceType: .hifiSpeaker, volumeControl: .none, canMute: false,
                requiredNetworkEndpoints: [
                    .service(name: name, type: Self.serviceType, domain: "local.", interface: nil)
                ])
            guard let device else { continue }
            devices[name] = device
            routingManager.foundDevice(device)
        }
        for name in Set(devices.keys).subtracting(names) {
            devices.removeValue(forKey: name).map { routingManager.lostDevice($0) }
        }
    }

    // MARK: Activation

    func activateDevice(
        _ device: MediaOutputDevice, session: MediaOutputSession, for deviceFeatures: MediaOutputDevice.Capabilities
    ) {
        log.notice("activate \(device.displayName) for \(deviceFeatures.description, privacy: .public)")
        connections.removeValue(forKey: device.id)?.close()
        let connection = SpeakerConnection(to: device.networkEndpoints[0])
        connections[device.id] = connection
        Task {
            do {
                try await connection.open()
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
        connections.removeValue(forKey: device.id)?.close()
    }

    // MARK: Samples

    func startRealtimeSampleDelivery(session: MediaOutputSession) {
        log.notice("start the delivery")
        guard let connection = session.devices.first.flatMap({ connections[$0.id] }) else {
            return routingManager.sessionFailed(session, error: MediaDeviceError(.connectionFailed))
        }
        do {
            let reader = try MediaSampleReader(session: session, encoding: .signed16, channelCount: 2)
            guard reader.format.sampleRate == 44_100 else {
                throw MediaDeviceError(
                    .sessionFailed, detail: .unsupportedFormat,
                    reason: "The speaker plays 44,100 samples a second only.")
            }
            let delivery = SampleDelivery()
            deliveries[session.id] = delivery
            delivery.start(reader, to: connection) { [routingManager] error in
                routingManager.sessionFailed(
                    session,
                    error: MediaDeviceError(.connectionFailed, reason: "The speaker left the connection: \(error)"))
            }
        } catch {
            routingManager.sessionFailed(session, error: error as? MediaDeviceError ?? MediaDeviceError(.sessionFailed))
        }
    }

    func stopRealtimeSampleDelivery(session: MediaOutputSession) {
        log.notice("stop the delivery")
        guard let delivery = deliveries.removeValue(forKey: session.id) else { return }
        delivery.stop()
        routingManager.reportQualityMetricsPassed(delivery.isComplete, forSession: session)
    }

    // MARK: URLs

    /// The host doesn't call it, because the devices have no capability but live sound.
    func startSession(_ session: MediaOutputSession, identifier: String?, url: URL) {
        routingManager.sessionFailed(
            session,
            error: MediaDeviceError(.sessionFailed, detail: .notSupported, reason: "The speaker plays no URLs."))
    }

    func stopSession(_ session: MediaOutputSession) {}
}

/// The samples of one session on their way to the speaker.
@MainActor
private final class SampleDelivery {
    private var task: Task<Void, Never>?
    /// A Boolean value that indicates whether no frame was lost.
    private(set) var isComplete = true

    func start(
        _ reader: MediaSampleReader, to connection: SpeakerConnection, failed: @escaping @MainActor (any Error) -> Void
    ) {
        task = Task {
            var next = CMTime.zero
            for await block in reader {
                if block.presentationTime != next { isComplete = false }
                next =
                    block.presentationTime
                    + CMTime(value: CMTimeValue(block.frameCount), timescale: CMTimeScale(reader.format.sampleRate))
                do {
                    try await connection.send(block.samples)
                } catch {
                    isComplete = false
                    return failed(error)
                }
            }
        }
    }

    func stop() { task?.cancel() }
}
