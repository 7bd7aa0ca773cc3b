import Foundation
import MPDProtocol
import MediaDevice

/// Makes MPD servers (Music Player Daemon, and Mopidy's MPD frontend) usable: they play addresses by themselves.
@main
final class MPDExtension: MediaDeviceExtension, PlaybackAdopting {
    private let timeouts: MPDTimeouts
    private lazy var host = MediaDeviceRoutingManager.routingManager(for: self)
    private lazy var discovery = MPDDiscovery(host: host) { [weak self] in self?.seen($0) ?? $0 }
    private var isDiscovering = false
    private var devices: [MediaOutputDevice.ID: MPDDevice] = [:]
    /// Activations on their way; one that is not here any more was given up.
    private var activations: [Activation: Task<Void, Never>] = [:]

    private struct Activation: Hashable {
        let device: MediaOutputDevice.ID
        let session: MediaOutputSession.ID
    }

    required convenience init() { self.init(timeouts: MPDTimeouts()) }

    init(timeouts: MPDTimeouts) { self.timeouts = timeouts }

    let protocolType = UTType(exportedAs: "org.mdhost.protocol.mpd")
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

    /// A server in use is watched too: it may move.
    private func stopBrowsingIfUnneeded() {
        if !isDiscovering, devices.isEmpty { discovery.stop() }
    }

    private func seen(_ device: MediaOutputDevice) -> MediaOutputDevice {
        guard let active = devices[device.id] else { return device }
        active.seen(device)
        return active.device
    }

    // MARK: Activation

    func activateDevice(
        _ device: MediaOutputDevice, session: MediaOutputSession, for deviceFeatures: MediaOutputDevice.Capabilities
    ) {
        // One that was forgotten a moment ago may be on its way out still: the way in was for what was stored then.
        if let active = devices[device.id], active.isConnected, active.credential == host.credential(for: device) {
            return active.activate(for: session)
        }
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
            await active.close()
        }
    }

    private func activate(
        _ device: MediaOutputDevice, _ session: MediaOutputSession,
        by attempt: @escaping @MainActor (MPDActivation) async -> MPDActivation.Outcome
    ) {
        let activation = MPDActivation(device: device, host: host, timeouts: timeouts)
        let key = Activation(device: device.id, session: session.id)
        activations[key]?.cancel()
        activations[key] = Task {
            let outcome = await attempt(activation)
            guard !Task.isCancelled else {
                if case .ready(let player) = outcome { await player.close() }
                return
            }
            activations[key] = nil
            await finish(outcome, device, session)
        }
    }

    private func finish(
        _ outcome: MPDActivation.Outcome, _ device: MediaOutputDevice, _ session: MediaOutputSession
    ) async {
        switch outcome {
        case .ready(let player):
            if let active = devices[device.id], !active.isGone {
                // Another session was faster, or its connection is being made again.
                active.activate(for: session)
                await player.close()
            } else {
                let previous = devices[device.id]
                let active = MPDDevice(device, player: player, host: host)
                devices[device.id] = active
                discovery.start()
                active.activate(for: session)
                await previous?.close()
            }
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

    /// Not called: MPD's level is absolute. One step is five hundredths all the same.
    func changeVolume(by increments: Int, for device: MediaOutputDevice) {
        devices[device.id]?.volume += Float(max(-20, min(20, increments))) * 0.05
    }

    // MPD has no mute, and taking the level away would lose it for every other client.

    // MARK: Playback

    func startSession(_ session: MediaOutputSession, identifier: String?, url: URL) {
        guard identifier == nil else {
            let reason = "An MPD server runs no applications."
            return host.sessionFailed(
                session, error: MediaDeviceError(.sessionFailed, detail: .notSupported, reason: reason))
        }
        guard let device = devices.values.first(where: { $0.isUsed(by: session) }) else {
            return host.sessionFailed(
                session, error: MediaDeviceError(.connectionFailed, reason: "The device is not connected."))
        }
        device.start(url.absoluteString, in: session)
    }

    func adoptPlayback(_ playback: EarlierPlayback, in session: MediaOutputSession) {
        guard let device = devices.values.first(where: { $0.isUsed(by: session) }) else {
            return host.sessionFailed(
                session, error: MediaDeviceError(.connectionFailed, reason: "The device is not connected."))
        }
        device.adopt(playback, in: session)
    }

    func stopSession(_ session: MediaOutputSession) {
        for device in devices.values where device.isUsed(by: session) {
            Task { await device.stop(session) }
        }
    }
}
