import AVKit
import ExtensionFoundation
import Foundation
import MediaDevice
import Network
import Observation
import UniformTypeIdentifiers

/// An extension with every import line it has on iOS.
@main
final class MyDeviceExtension: MediaDeviceExtension {
    lazy var routingManager = MediaDeviceRoutingManager.routingManager(for: self)
    private var browser: NWBrowser?

    required init() {}

    let protocolType = UTType(exportedAs: "com.example.unchangedimports", conformingTo: .data)
    let supportsSimultaneousSessions = false

    func startDeviceDiscovery() {
        let parameters = NWParameters()
        parameters.includePeerToPeer = false
        let browser = NWBrowser(for: .bonjour(type: "_myprotocol._tcp", domain: nil), using: parameters)
        browser.browseResultsChangedHandler = { [weak self] results, _ in
            Task { @MainActor in
                for result in results { self?.found(result.endpoint) }
            }
        }
        browser.start(queue: .main)
        self.browser = browser
    }

    func stopDeviceDiscovery() {
        browser?.cancel()
        browser = nil
    }

    private func found(_ endpoint: NWEndpoint) {
        guard let device = Self.device(at: endpoint) else { return }
        routingManager.foundDevice(device)
    }

    /// The device at an endpoint; `nil` for anything but a service whose name is a UUID.
    static func device(at endpoint: NWEndpoint) -> MediaOutputDevice? {
        guard case .service(let name, _, _, _) = endpoint, let id = UUID(uuidString: name) else { return nil }
        return MediaOutputDevice(
            id: id, displayName: name, capabilities: .urlPlayback, requiredNetworkEndpoints: [endpoint])
    }

    func activateDevice(
        _ device: MediaOutputDevice, session: MediaOutputSession, for deviceFeatures: MediaOutputDevice.Capabilities
    ) {
        routingManager.activatedDevice(device, session: session)
    }

    func connectUsingPairingCode(_ pairingCode: String?, to device: MediaOutputDevice, session: MediaOutputSession) {}
    func deactivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession) {}
    func setVolume(_ volume: Float, for device: MediaOutputDevice) {}
    func volume(for device: MediaOutputDevice) -> Float { 0 }
    func changeVolume(by increments: Int, for device: MediaOutputDevice) {}
    func muteDevice(_ device: MediaOutputDevice) {}
    func isDeviceMuted(_ device: MediaOutputDevice) -> Bool { false }

    func startSession(_ session: MediaOutputSession, identifier: String?, url: URL) {
        routingManager.sessionFailed(session, error: MediaDeviceError(.sessionFailed))
    }

    func stopSession(_ session: MediaOutputSession) {}
    func sendData(_ data: Data, toApplication applicationIdentifier: String, session: MediaOutputSession) {}
}
