import MediaDevice

/// An extension whose entry point is a structure, as the article's text has it, with a structure as control object, as
/// the early beta allowed.
@main
struct MyDeviceExtension: MediaDeviceExtension {
    var protocolType: UTType { UTType(exportedAs: "com.example.sharingprotocol.structure") }
    var supportsSimultaneousSessions: Bool { true }
    var routingManager: MediaDeviceRoutingManager { MediaDeviceRoutingManager.routingManager(for: self) }

    func startDeviceDiscovery() {
        guard
            let device = MediaOutputDevice(
                id: UUID(uuidString: "6E1B1E7A-2A0C-4C0B-8B5E-0C6E8F1D2A3B")!, displayName: "Kitchen Speaker",
                capabilities: .urlPlayback, deviceType: .hifiSpeaker,
                requiredNetworkEndpoints: [.hostPort(host: "192.0.2.7", port: 8009)])
        else { return routingManager.discoveryFailed(MediaDeviceError(.discoveryFailed)) }
        routingManager.foundDevice(device)
    }

    func stopDeviceDiscovery() {}

    func activateDevice(
        _ device: MediaOutputDevice, session: MediaOutputSession, for deviceFeatures: MediaOutputDevice.Capabilities
    ) {
        routingManager.activatedDevice(device, session: session)
    }

    func connectUsingPairingCode(_ pairingCode: String?, to device: MediaOutputDevice, session: MediaOutputSession) {}
    func deactivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession) {}
    func setVolume(_ volume: Float, for device: MediaOutputDevice) {}
    func volume(for device: MediaOutputDevice) -> Float { 0.5 }
    func changeVolume(by increments: Int, for device: MediaOutputDevice) {}
    func muteDevice(_ device: MediaOutputDevice) {}
    func isDeviceMuted(_ device: MediaOutputDevice) -> Bool { false }

    func startSession(_ session: MediaOutputSession, identifier: String?, url: URL) {
        routingManager.started(
            application: identifier, playbackControl: PlaybackControl(title: url.lastPathComponent), session: session)
    }

    func stopSession(_ session: MediaOutputSession) {}

    func sendData(_ data: Data, toApplication applicationIdentifier: String, session: MediaOutputSession) {
        routingManager.receiveData(data, fromApplication: applicationIdentifier, session: session)
    }
}
