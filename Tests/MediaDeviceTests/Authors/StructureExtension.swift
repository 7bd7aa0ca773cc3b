import MediaDevice

// An extension that is a structure, with only the required members.

struct StructureExtension: MediaDeviceExtension {
    let protocolType = UTType(exportedAs: "org.mdhost.structure")
    let supportsSimultaneousSessions = false
    private var routingManager: MediaDeviceRoutingManager { .routingManager(for: self) }

    init() {}

    func startDeviceDiscovery() {
        routingManager.discoveryFailed(MediaDeviceError(.discoveryFailed))
    }

    func stopDeviceDiscovery() {}
    func activateDevice(
        _ device: MediaOutputDevice, session: MediaOutputSession, for deviceFeatures: MediaOutputDevice.Capabilities
    ) {}
    func connectUsingPairingCode(_ pairingCode: String?, to device: MediaOutputDevice, session: MediaOutputSession) {}
    func deactivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession) {}
    func setVolume(_ volume: Float, for device: MediaOutputDevice) {}
    func volume(for device: MediaOutputDevice) -> Float { 0 }
    func changeVolume(by increments: Int, for device: MediaOutputDevice) {}
    func muteDevice(_ device: MediaOutputDevice) {}
    func isDeviceMuted(_ device: MediaOutputDevice) -> Bool { false }
    func startSession(_ session: MediaOutputSession, identifier: String?, url: URL) {}
    func stopSession(_ session: MediaOutputSession) {}
}
