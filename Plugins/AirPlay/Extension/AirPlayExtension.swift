import AirPlayProtocol
import Foundation
import MediaDevice

/// Makes AirPlay speakers usable: decodes media here and sends it to them as they play it.
@main
final class AirPlayExtension: MediaDeviceExtension {
    private let timeouts: AirPlayTimeouts
    private let ports: StreamPorts
    private lazy var host = MediaDeviceRoutingManager.routingManager(for: self)
    private lazy var discovery = AirPlayDiscovery(host: host) { [weak self] in self?.devices[$0.id]?.seen($0) }
    private var isDiscovering = false
    private var devices: [MediaOutputDevice.ID: AirPlayDevice] = [:]
    /// Activations on their way; one that is not here any more was given up.
    private var activations: [Activation: Task<Void, Never>] = [:]

    private struct Activation: Hashable {
        let device: MediaOutputDevice.ID
        let session: MediaOutputSession.ID
    }

    required convenience init() { self.init(timeouts: AirPlayTimeouts(), ports: .ofProcess) }

    init(timeouts: AirPlayTimeouts, ports: StreamPorts) {
        self.timeouts = timeouts
        self.ports = ports
    }

    let protocolType = UTType(exportedAs: "org.mdhost.protocol.airplay")
    let supportsSimultaneousSessions = true

    // MARK: Discovery

    func startDeviceDiscovery() {
        isDiscovering = true
        discovery.start()
    }

    func stopDeviceDiscovery() {
        isDiscovering = false
        stopBrowsingIfUnneeded()
    }

    /// A receiver in use is watched too: it may move.
    private func stopBrowsingIfUnneeded() {
        if !isDiscovering, devices.isEmpty { discovery.stop() }
    }

    // MARK: Activation

    func activateDevice(
        _ device: MediaOutputDevice, session: MediaOutputSession, for deviceFeatures: MediaOutputDevice.Capabilities
    ) {
        if let active = devices[device.id] { return active.activate(for: session) }
        activate(device, session) { await $0.withStoredPassword() }
    }

    func connectUsingPairingCode(_ pairingCode: String?, to device: MediaOutputDevice, session: MediaOutputSession) {
        guard let pairingCode else {
            let error = MediaDeviceError(.authorizationFailed, reason: "No password was given.")
            return host.failedToActivateDevice(device, session: session, error: error)
        }
        activate(device, session) { await $0.withPassword(pairingCode) }
    }

    func deactivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession) {
        activations.removeValue(forKey: Activation(device: device.id, session: session.id))?.cancel()
        guard let active = devices[device.id] else { return }
        Task {
            await active.deactivate(session)
            guard active.isUnused, devices[device.id] === active else { return }
            devices[device.id] = nil
            stopBrowsingIfUnneeded()
        }
    }

    private func activate(
        _ device: MediaOutputDevice, _ session: MediaOutputSession,
        by attempt: @escaping @MainActor (AirPlayActivation) async -> AirPlayActivation.Outcome
    ) {
        let activation = AirPlayActivation(device: device, host: host, timeouts: timeouts)
        let key = Activation(device: device.id, session: session.id)
        activations[key]?.cancel()
        activations[key] = Task {
            let outcome = await attempt(activation)
            guard !Task.isCancelled else { return }
            activations[key] = nil
            finish(outcome, device, session)
        }
    }

    private func finish(
        _ outcome: AirPlayActivation.Outcome, _ device: MediaOutputDevice, _ session: MediaOutputSession
    ) {
        switch outcome {
        case .ready(let password):
            // Another session may have been faster.
            let active =
                devices[device.id]
                ?? AirPlayDevice(device, password: password, host: host, timeouts: timeouts, ports: ports)
            devices[device.id] = active
            discovery.start()
            active.activate(for: session)
        case .needsPassword(let reason):
            host.requestPairingCode(
                for: device, session: session, reason: "\(reason)", authorizationMethod: .password)
        case .failed(let error):
            host.failedToActivateDevice(device, session: session, error: error)
        }
    }

    // MARK: Volume

    func setVolume(_ volume: Float, for device: MediaOutputDevice) { devices[device.id]?.volume = volume }

    func volume(for device: MediaOutputDevice) -> Float { devices[device.id]?.volume ?? 0 }

    /// Not called: a receiver's level is absolute. One step is five hundredths all the same.
    func changeVolume(by increments: Int, for device: MediaOutputDevice) {
        devices[device.id]?.volume += Float(max(-20, min(20, increments))) * 0.05
    }

    func muteDevice(_ device: MediaOutputDevice) {
        guard let active = devices[device.id] else { return }
        active.setMuted(!active.isMuted)
    }

    func isDeviceMuted(_ device: MediaOutputDevice) -> Bool { devices[device.id]?.isMuted ?? false }

    // MARK: Playback

    func startSession(_ session: MediaOutputSession, identifier: String?, url: URL) {
        guard identifier == nil else {
            let reason = "An AirPlay speaker runs no applications."
            return host.sessionFailed(
                session, error: MediaDeviceError(.sessionFailed, detail: .notSupported, reason: reason))
        }
        guard let device = devices.values.first(where: { $0.isUsed(by: session) }) else {
            return host.sessionFailed(
                session, error: MediaDeviceError(.connectionFailed, reason: "The device is not connected."))
        }
        device.start(url.absoluteString, in: session)
    }

    func stopSession(_ session: MediaOutputSession) {
        for device in devices.values where device.isUsed(by: session) {
            Task { await device.stop(session) }
        }
    }
}
