import DeviceDiscovery
import MediaDevice
import SystemLog

/// A media device extension in the order of calls that the routing article describes, for devices that announce
/// `_mdhost-article._tcp` and speak in lines (`DeviceLines`). It logs everything the system asks of it.
@main
final class ArticleExtension: MediaDeviceExtension {
    static let serviceType = "_mdhost-article._tcp"

    lazy var routingManager = MediaDeviceRoutingManager.routingManager(for: self)
    private let requests = Logger(subsystem: "org.example.article", category: "requests")
    private let network = Logger(subsystem: "org.example.article", category: "network")
    private var browser: NWBrowser?
    private var found: Set<String> = []
    private var lines: [UUID: DeviceLines] = [:]
    private var levels: [UUID: Float] = [:]
    private var muted: Set<UUID> = []
    private var playbackControl: PlaybackControl?

    required init() {}

    var protocolType: UTType { UTType(exportedAs: "org.example.article.sharing") }
    var supportsSimultaneousSessions: Bool { false }

    // MARK: Discovery

    func startDeviceDiscovery() {
        requests.info("start discovery")
        let browser = NWBrowser(for: .bonjour(type: Self.serviceType, domain: nil), using: .tcp)
        browser.browseResultsChangedHandler = { [weak self] results, _ in
            let names = results.compactMap { result -> String? in
                guard case .service(let name, _, _, _) = result.endpoint else { return nil }
                return name
            }
            Task { @MainActor in self?.sees(Set(names)) }
        }
        browser.start(queue: .main)
        self.browser = browser
    }

    func stopDeviceDiscovery() {
        requests.info("stop discovery")
        browser?.cancel()
        browser = nil
    }

    /// A device whose name has `Failing` in it stands for a network that can't be searched.
    private func sees(_ names: Set<String>) {
        for name in names.subtracting(found).sorted() {
            guard !name.contains("Failing") else {
                routingManager.discoveryFailed(MediaDeviceError(.discoveryFailed))
                continue
            }
            device(name).map { routingManager.foundDevice($0) }
        }
        for name in found.subtracting(names).sorted() { device(name).map { routingManager.lostDevice($0) } }
        found = names
    }

    /// Returns a device; one with `Text` in its name is created as in the article, from a text and without endpoints.
    private func device(_ name: String, as displayName: String? = nil) -> MediaOutputDevice? {
        guard !name.contains("Text") else {
            return MediaOutputDevice(
                id: name, displayName: displayName ?? name, capabilities: [.urlPlayback], deviceType: .tv)
        }
        return MediaOutputDevice(
            id: UUID(version5: name, namespace: .mediaOutputDeviceNamespace), displayName: displayName ?? name,
            capabilities: [.urlPlayback, .appLaunch], deviceType: .tv,
            volumeControl: name.contains("Steps") ? .relative : .absolute, canMute: true,
            requiredNetworkEndpoints: [
                .service(name: name, type: Self.serviceType, domain: "local.", interface: nil)
            ])
    }

    // MARK: Activation

    func activateDevice(
        _ device: MediaOutputDevice, session: MediaOutputSession, for deviceFeatures: MediaOutputDevice.Capabilities
    ) {
        requests.notice("activate \(device.displayName) for \(deviceFeatures.description, privacy: .public)")
        let endpoint =
            device.networkEndpoints.first
            ?? .service(name: device.displayName, type: Self.serviceType, domain: "local.", interface: nil)
        let lines = DeviceLines(to: endpoint)
        self.lines[device.id] = lines
        Task {
            for await event in lines.events { handle(event, of: device, in: session) }
            network.warning("the connection to \(device.displayName) is over")
        }
        lines.send("hello")
    }

    func connectUsingPairingCode(_ pairingCode: String?, to device: MediaOutputDevice, session: MediaOutputSession) {
        requests.notice("code \(pairingCode ?? "none") for \(device.displayName)")
        guard let pairingCode else {
            return routingManager.failedToActivateDevice(
                device, session: session, error: MediaDeviceError(.authorizationFailed))
        }
        lines[device.id]?.send("code \(pairingCode)")
    }

    func deactivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession) {
        requests.notice("deactivate")
        lines.removeValue(forKey: device.id)?.cancel()
    }

    // MARK: Volume

    func setVolume(_ volume: Float, for device: MediaOutputDevice) {
        requests.debug("set volume \(volume)")
        levels[device.id] = volume
        lines[device.id]?.send("volume \(volume)")
    }

    func volume(for device: MediaOutputDevice) -> Float { levels[device.id] ?? 0.5 }

    func changeVolume(by increments: Int, for device: MediaOutputDevice) {
        requests.debug("change volume by \(increments)")
        lines[device.id]?.send("steps \(increments)")
    }

    func muteDevice(_ device: MediaOutputDevice) {
        requests.debug("mute")
        if muted.remove(device.id) == nil { muted.insert(device.id) }
        lines[device.id]?.send(muted.contains(device.id) ? "mute" : "unmute")
    }

    func isDeviceMuted(_ device: MediaOutputDevice) -> Bool { muted.contains(device.id) }

    // MARK: Playback

    func startSession(_ session: MediaOutputSession, identifier: String?, url: URL) {
        requests.notice("start \(identifier ?? "player", privacy: .public) with \(url.absoluteString)")
        guard url.pathExtension != "broken" else {
            return routingManager.sessionFailed(
                session, error: MediaDeviceError(.sessionFailed, reason: "The film is torn."))
        }
        let lines = session.devices.first.flatMap { self.lines[$0.id] }
        let playbackControl = PlaybackControl { lines?.send($0) }
        self.playbackControl = playbackControl
        lines?.send("load \(url.absoluteString)")
        routingManager.started(application: identifier, playbackControl: playbackControl, session: session)
    }

    func stopSession(_ session: MediaOutputSession) {
        requests.notice("stop")
        session.devices.first.flatMap { lines[$0.id] }?.send("stop")
        playbackControl = nil
    }

    // MARK: Data

    /// Returns data for the extension to its sender, and passes all other data to the device.
    func receiveData(_ data: Data, fromApplication applicationIdentifier: String, session: MediaOutputSession) {
        let text = String(decoding: data, as: UTF8.self)
        requests.info("data \(text) for \(applicationIdentifier, privacy: .public)")
        guard applicationIdentifier != "com.apple.media-device-extension" else {
            return routingManager.sendData(data, toApplication: applicationIdentifier, session: session)
        }
        session.devices.first.flatMap { lines[$0.id] }?.send("data \(applicationIdentifier) \(text)")
    }

    // MARK: Messages of the device

    private func handle(_ event: DeviceLines.Event, of device: MediaOutputDevice, in session: MediaOutputSession) {
        switch event {
        case .moved: network.info("\(device.displayName) has moved")
        case .failed(let error):
            network.error("\(device.displayName): \(error)")
            routingManager.failedToActivateDevice(device, session: session, error: MediaDeviceError(.connectionFailed))
        case .line(let line):
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            switch words.first {
            case "open", "right": routingManager.activatedDevice(device, session: session)
            case "pin":
                routingManager.requestPairingCode(
                    for: device, session: session, reason: "Passcode Required",
                    authorizationMethod: .numericCode(length: .fourCharacter))
            case "password":
                routingManager.requestPairingCode(
                    for: device, session: session, reason: "Password Required", authorizationMethod: .password)
            case "wrong":
                routingManager.failedToActivateDevice(
                    device, session: session, error: MediaDeviceError(.authorizationFailed))
            case "level":
                levels[device.id] = Float(words[1]) ?? 0
                routingManager.volumeChanged(for: device)
            case "muted":
                muted.insert(device.id)
                routingManager.volumeChanged(for: device)
            case "name": self.device(device.displayName, as: words[1]).map { routingManager.updateDevices([$0]) }
            case "data":
                routingManager.sendData(
                    Data(words[1].utf8), toApplication: "org.example.television", session: session)
            default: playbackControl?.take(line)
            }
        }
    }
}
