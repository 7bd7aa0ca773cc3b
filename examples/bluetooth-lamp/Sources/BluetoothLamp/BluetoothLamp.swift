import CoreBluetooth
import Foundation
import MediaDevice

/// Shows lamps that are controlled over Bluetooth LE, as devices whose volume is their brightness.
@main
final class BluetoothLamp: MediaDeviceExtension {
    let protocolType = UTType(exportedAs: "org.example.protocol.bluetooth-lamp")
    let supportsSimultaneousSessions = true

    private lazy var host = MediaDeviceRoutingManager.routingManager(for: self)
    private lazy var finder = LampFinder(
        found: { [weak self] lamp in self?.show(lamp) }, lost: { [weak self] lamp in self?.hide(lamp) },
        changed: { [weak self] lamp in self?.levelChanged(lamp) })
    private var lamps: [UUID: Lamp] = [:]

    func startDeviceDiscovery() { finder.start() }
    func stopDeviceDiscovery() { finder.stop() }

    private func show(_ lamp: Lamp) {
        guard let device = lamp.device else { return }
        lamps[device.id] = lamp
        host.foundDevice(device)
        host.volumeChanged(for: device)
    }

    private func hide(_ lamp: Lamp) {
        guard let device = lamp.device else { return }
        lamps[device.id] = nil
        host.lostDevice(device)
    }

    private func levelChanged(_ lamp: Lamp) {
        if let device = lamp.device { host.volumeChanged(for: device) }
    }

    // MARK: Brightness

    func setVolume(_ volume: Float, for device: MediaOutputDevice) {
        lamps[device.id]?.setBrightness(min(max(volume, 0), 1))
    }

    func volume(for device: MediaOutputDevice) -> Float { lamps[device.id]?.brightness ?? 0 }
    func changeVolume(by increments: Int, for device: MediaOutputDevice) {}
    func muteDevice(_ device: MediaOutputDevice) {}
    func isDeviceMuted(_ device: MediaOutputDevice) -> Bool { false }

    // MARK: A lamp that was found is connected, and plays nothing

    func activateDevice(
        _ device: MediaOutputDevice, session: MediaOutputSession, for deviceFeatures: MediaOutputDevice.Capabilities
    ) {
        lamps[device.id]?.showItself()
        host.activatedDevice(device, session: session)
    }

    func connectUsingPairingCode(_ pairingCode: String?, to device: MediaOutputDevice, session: MediaOutputSession) {}
    func deactivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession) {}
    func startSession(_ session: MediaOutputSession, identifier: String?, url: URL) {
        host.sessionFailed(session, error: MediaDeviceError(.sessionFailed, reason: "A lamp plays nothing."))
    }
    func stopSession(_ session: MediaOutputSession) {}
}
