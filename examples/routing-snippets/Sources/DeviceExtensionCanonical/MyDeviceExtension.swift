import MediaDevice
import MyProtocol

/// A media device extension in the spelling of the 27.0 SDK.
@main
final class MyDeviceExtension: MediaDeviceExtension {
    lazy var routingManager = MediaDeviceRoutingManager.routingManager(for: self)
    var discovery: DeviceDiscovery?
    var connections: [MediaOutputDevice.ID: MyProtocolClient] = [:]
    var controls: [MediaOutputSession.ID: PlaybackControl] = [:]
    var levels: [MediaOutputDevice.ID: (volume: Float, isMuted: Bool)] = [:]

    required init() {}

    var protocolType: UTType { UTType(exportedAs: "com.example.sharingprotocol") }
    var supportsSimultaneousSessions: Bool { false }

    // MARK: Discovery

    func startDeviceDiscovery() {
        let discovery = DeviceDiscovery(reportingTo: routingManager)
        discovery.start()
        self.discovery = discovery
    }

    func stopDeviceDiscovery() {
        discovery?.stop()
        discovery = nil
    }

    // MARK: Activation

    func activateDevice(
        _ device: MediaOutputDevice, session: MediaOutputSession, for deviceFeatures: MediaOutputDevice.Capabilities
    ) {
        guard deviceFeatures.isSubset(of: device.capabilities) else {
            routingManager.failedToActivateDevice(device, session: session, error: MediaDeviceError(.connectionFailed))
            return
        }
        let protection = device.txtRecords.lazy.compactMap { $0["pw"] }.first
        switch protection {
        case "pin":
            routingManager.requestPairingCode(
                for: device, session: session, reason: "Enter the code shown on \(device.displayName).",
                authorizationMethod: .numericCode(length: .fourCharacter))
        case "password":
            routingManager.requestPairingCode(
                for: device, session: session, reason: "Enter the password of \(device.displayName).",
                authorizationMethod: .password)
        default: connect(to: device, session: session, code: nil)
        }
    }

    func connectUsingPairingCode(_ pairingCode: String?, to device: MediaOutputDevice, session: MediaOutputSession) {
        guard let pairingCode else {
            // The person cancelled.
            routingManager.failedToActivateDevice(
                device, session: session, error: MediaDeviceError(.authorizationFailed))
            return
        }
        connect(to: device, session: session, code: pairingCode)
    }

    private func connect(to device: MediaOutputDevice, session: MediaOutputSession, code: String?) {
        Task {
            let myProtocolClient = MyProtocolClient(code: code.map { _ in "1234" })
            do {
                try await myProtocolClient.connect(code: code)
                connections[device.id] = myProtocolClient
                routingManager.activatedDevice(device, session: session)
            } catch {
                routingManager.failedToActivateDevice(
                    device, session: session, error: MediaDeviceError(.authorizationFailed))
            }
        }
    }

    func deactivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession) {
        guard let myProtocolClient = connections.removeValue(forKey: device.id) else { return }
        Task { await myProtocolClient.disconnect() }
    }

    // MARK: Volume

    func setVolume(_ volume: Float, for device: MediaOutputDevice) {
        levels[device.id, default: (0.5, false)].volume = volume
        let myProtocolClient = connections[device.id]
        Task { await myProtocolClient?.setVolume(volume) }
    }

    func volume(for device: MediaOutputDevice) -> Float { levels[device.id]?.volume ?? 0.5 }

    func changeVolume(by increments: Int, for device: MediaOutputDevice) {
        setVolume(min(1, max(0, volume(for: device) + Float(increments) / 20)), for: device)
    }

    func muteDevice(_ device: MediaOutputDevice) {
        let isMuted = !isDeviceMuted(device)
        levels[device.id, default: (0.5, false)].isMuted = isMuted
        let myProtocolClient = connections[device.id]
        Task { await myProtocolClient?.setMuted(isMuted) }
    }

    func isDeviceMuted(_ device: MediaOutputDevice) -> Bool { levels[device.id]?.isMuted ?? false }
}
