import Foundation
import MediaDevice

/// An extension without a protocol: it reports as many devices as requested, and returns the data it receives.
///
/// One device is always there, "Benchmark". Bytes sent to the extension itself over its route are a command, and are
/// returned when it has been carried out; any other data is returned unchanged:
///
/// - `report N`: devices 1...N appear.
/// - `rename N`: the first N of them get other names.
/// - `lose N`: the first N of them disappear.
/// - `turn N`: the first N of them disappear, come back and get other names.
///
/// Every service of the type `_mdhost-bench._tcp` is a device, too. A session answers with its address, and
/// then ends.
@main
final class BenchmarkExtension: MediaDeviceExtension {
    private static let itself = "com.apple.media-device-extension"

    private lazy var manager = MediaDeviceRoutingManager.routingManager(for: self)
    private lazy var entrance = Self.device(named: "Benchmark", number: 0)
    private var renamings = 0
    private var announced: [String: MediaOutputDevice] = [:]
    private var browser: NWBrowser?
    /// The route of each active device, for the extension's own messages.
    private var routes: [MediaOutputDevice.ID: MediaOutputSession] = [:]

    let protocolType = UTType(exportedAs: "org.mdhost.protocol.benchmark")
    let supportsSimultaneousSessions = true

    // MARK: Discovery

    func startDeviceDiscovery() {
        manager.foundDevice(entrance)
        let browser = NWBrowser(
            for: .bonjourWithTXTRecord(type: "_mdhost-bench._tcp", domain: nil), using: NWParameters())
        browser.browseResultsChangedHandler = { [weak self] _, changes in
            MainActor.assumeIsolated { changes.forEach { self?.take($0) } }
        }
        browser.start(queue: .main)
        self.browser = browser
    }

    func stopDeviceDiscovery() {
        browser?.cancel()
        browser = nil
    }

    private func take(_ change: NWBrowser.Result.Change) {
        switch change {
        case .added(let result), .changed(_, let result, _):
            guard case .service(let name, _, _, _) = result.endpoint, !result.resolvedEndpoints.isEmpty,
                let device = MediaOutputDevice(
                    id: UUID(version5: "announced:" + name), displayName: name, capabilities: .urlPlayback,
                    requiredNetworkEndpoints: result.resolvedEndpoints)
            else { return }
            announced[name] = device
            manager.foundDevice(device)
        case .removed(let result):
            guard case .service(let name, _, _, _) = result.endpoint, let device = announced.removeValue(forKey: name)
            else { return }
            manager.lostDevice(device)
        default: break
        }
    }

    /// Like a device found by Bonjour: two addresses and a TXT record of 100 bytes.
    private static func device(named name: String, number: Int) -> MediaOutputDevice {
        let address = "127.\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255 | 1)"
        let endpoints: [NWEndpoint] = [
            .hostPort(host: NWEndpoint.Host(address), port: 7000),
            .hostPort(host: NWEndpoint.Host("fd00::\(String(number, radix: 16))"), port: 7000),
        ]
        let record = ["model": "Benchmark,1", "fn": name, "sn": "\(number)", "vs": String(repeating: "v", count: 64)]
        // Both endpoints are there, so there is a device.
        return MediaOutputDevice(
            id: UUID(version5: "benchmark:\(number)"), displayName: name, capabilities: .urlPlayback,
            deviceType: .hifiSpeaker, volumeControl: .absolute, requiredNetworkEndpoints: endpoints,
            txtRecords: [NWTXTRecord(record)])
            ?? MediaOutputDevice(id: "benchmark:\(number)", displayName: name, capabilities: .urlPlayback)
    }

    private func obey(_ command: String) {
        let words = command.split(separator: " ")
        guard words.count == 2, let count = Int(words[1]), (1...100_000).contains(count) else { return }
        switch words[0] {
        case "report": report(count)
        case "rename": rename(count)
        case "lose": lose(count)
        case "turn":
            lose(count)
            report(count)
            rename(count)
        default: break
        }
    }

    private func report(_ count: Int) {
        for number in 1...count { manager.foundDevice(Self.device(named: "Device \(number)", number: number)) }
    }

    private func rename(_ count: Int) {
        renamings += 1
        manager.updateDevices(
            (1...count).map { Self.device(named: "Device \($0) (\(renamings % 10))", number: $0) })
    }

    private func lose(_ count: Int) {
        for number in 1...count { manager.lostDevice(Self.device(named: "Device \(number)", number: number)) }
    }

    // MARK: Activation

    func activateDevice(
        _ device: MediaOutputDevice, session: MediaOutputSession, for deviceFeatures: MediaOutputDevice.Capabilities
    ) {
        routes[device.id] = session
        manager.activatedDevice(device, session: session)
    }

    func connectUsingPairingCode(_ pairingCode: String?, to device: MediaOutputDevice, session: MediaOutputSession) {}

    func deactivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession) { routes[device.id] = nil }

    // MARK: Data

    func sendData(_ data: Data, toApplication applicationIdentifier: String, session: MediaOutputSession) {
        // A round trip is measured: only commands are decoded.
        if data.count < 32, data.first != UInt8(ascii: "#") { obey(String(decoding: data, as: UTF8.self)) }
        manager.receiveData(data, fromApplication: applicationIdentifier, session: session)
    }

    // MARK: Sessions

    func startSession(_ session: MediaOutputSession, identifier: String?, url: URL) {
        guard let route = routes.values.first else { return manager.sessionEnded(session) }
        manager.receiveData(Data(url.absoluteString.utf8), fromApplication: Self.itself, session: route)
    }

    func stopSession(_ session: MediaOutputSession) {}

    // MARK: Volume

    func setVolume(_ volume: Float, for device: MediaOutputDevice) {}
    func volume(for device: MediaOutputDevice) -> Float { 0 }
    func changeVolume(by increments: Int, for device: MediaOutputDevice) {}
    func muteDevice(_ device: MediaOutputDevice) {}
    func isDeviceMuted(_ device: MediaOutputDevice) -> Bool { false }
}
