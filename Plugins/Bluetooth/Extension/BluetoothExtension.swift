import BluetoothProtocol
import Foundation
import LiveSound
import MediaDevice

/// The extension for Bluetooth speakers and headphones. It discovers, pairs and connects them, and plays through the
/// sound server.
@main
final class BluetoothExtension: MediaDeviceExtension {
    private struct Use: Hashable {
        let device: MediaOutputDevice.ID
        let session: MediaOutputSession.ID
    }

    private lazy var host = MediaDeviceRoutingManager.routingManager(for: self)
    private lazy var directory = BluetoothDirectory(host: host) { [weak self] in self?.changed($0) }
    private var isDiscovering = false
    /// The activations in progress.
    private var activations: [Use: Task<Void, Never>] = [:]
    private var pairings: [Use: BluetoothPairing] = [:]
    /// Sessions of devices that are connected, or are being connected again.
    private var uses: [MediaOutputDevice.ID: Set<MediaOutputSession.ID>] = [:]
    private var returns: [MediaOutputDevice.ID: Task<Void, Never>] = [:]
    private var players: [MediaOutputSession.ID: BluetoothPlayer] = [:]
    /// The deactivations in progress. A new activation of the device waits for them.
    private var endings: [MediaOutputDevice.ID: Task<Void, Never>] = [:]

    required init() {}

    let protocolType = UTType(exportedAs: "org.mdhost.protocol.bluetooth")
    let supportsSimultaneousSessions = true

    // MARK: Discovery

    func startDeviceDiscovery() {
        isDiscovering = true
        directory.start()
    }

    func stopDeviceDiscovery() {
        isDiscovering = false
        stopFollowingIfUnneeded()
    }

    private func stopFollowingIfUnneeded() {
        if !isDiscovering, uses.isEmpty, activations.isEmpty { directory.stop() }
    }

    // MARK: Activation

    func activateDevice(
        _ device: MediaOutputDevice, session: MediaOutputSession, for deviceFeatures: MediaOutputDevice.Capabilities
    ) {
        let use = Use(device: device.id, session: session.id)
        directory.start()
        activations[use]?.cancel()
        activations[use] = Task {
            let failure = await activate(device, session)
            guard !Task.isCancelled else { return }
            activations[use] = nil
            pairings[use] = nil
            if let failure {
                host.failedToActivateDevice(device, session: session, error: MediaDeviceError(failure))
                stopFollowingIfUnneeded()
            } else {
                uses[device.id, default: []].insert(session.id)
                host.activatedDevice(device, session: session)
                host.volumeChanged(for: device)
            }
        }
    }

    /// - Returns: Why it failed.
    private func activate(_ device: MediaOutputDevice, _ session: MediaOutputSession) async -> BluetoothAudioError? {
        let use = Use(device: device.id, session: session.id)
        do throws(BluetoothAudioError) {
            await endings[device.id]?.value
            let found = try await directory.device(device.id)
            if !found.isPaired {
                let pairing = BluetoothPairing(device, session, host)
                pairings[use] = pairing
                let paired = try await BluetoothAudio.pair(found.id) { await pairing.ask($0) }
                host.setCredential((paired ?? found).bond, for: device)
            }
            do throws(BluetoothAudioError) {
                try await BluetoothAudio.connect(found.id)
            } catch {
                // Whoever pairs a device wants it paired; without a sound server that is all there is to have.
                guard error.code == "no-profile", pairings[use] != nil else { throw error }
            }
            return nil
        } catch {
            return error
        }
    }

    func connectUsingPairingCode(_ pairingCode: String?, to device: MediaOutputDevice, session: MediaOutputSession) {
        let use = Use(device: device.id, session: session.id)
        if pairings[use]?.answer(code: pairingCode) == true || pairingCode != nil { return }
        // The person gave up while the device waits for what is typed on it.
        activations.removeValue(forKey: use)?.cancel()
        pairings[use] = nil
        host.failedToActivateDevice(
            device, session: session,
            error: MediaDeviceError(.authorizationFailed, reason: "Pairing was cancelled."))
    }

    func deactivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession) {
        let use = Use(device: device.id, session: session.id)
        activations.removeValue(forKey: use)?.cancel()
        pairings[use] = nil
        let player = players.removeValue(forKey: session.id)
        uses[device.id]?.remove(session.id)
        guard uses[device.id]?.isEmpty == true else {
            Task { await player?.stop() }
            return stopFollowingIfUnneeded()
        }
        uses[device.id] = nil
        returns.removeValue(forKey: device.id)?.cancel()
        endings[device.id] = Task {
            await player?.stop()
            if let found = directory.known(device.id), found.isConnected {
                try? await BluetoothAudio.disconnect(found.id)
            }
            endings[device.id] = nil
            stopFollowingIfUnneeded()
        }
    }

    // MARK: Devices that go and return

    private func changed(_ device: BluetoothAudioDevice) {
        let id = device.outputIdentifier
        guard uses[id] != nil else { return }
        for player in players.values where player.device == id {
            player.control.setLevel(level(of: id), isMuted: false)
        }
        if device.isConnected {
            returns.removeValue(forKey: id)?.cancel()
        } else if returns[id] == nil, device.isPaired {
            // bluetoothd gives up a speaker that was switched off.
            returns[id] = Task {
                var pauses = BluetoothReconnection()
                while !Task.isCancelled, (try? await Task.sleep(for: pauses.next())) != nil {
                    if (try? await BluetoothAudio.connect(device.id)) != nil { break }
                }
                if !Task.isCancelled { returns[id] = nil }
            }
        }
    }

    // MARK: Volume

    func setVolume(_ volume: Float, for device: MediaOutputDevice) { setVolume(volume, of: device.id) }

    private func setVolume(_ volume: Float, of device: MediaOutputDevice.ID) {
        guard let found = directory.known(device) else { return }
        Task { try? await BluetoothAudio.setVolume(Double(volume), of: found.id) }
    }

    func volume(for device: MediaOutputDevice) -> Float { level(of: device.id) }

    private func level(of device: MediaOutputDevice.ID) -> Float { Float(directory.known(device)?.volume ?? 0) }

    // MARK: Playback

    func startSession(_ session: MediaOutputSession, identifier: String?, url: URL) {
        guard identifier == nil else {
            let reason = "A Bluetooth device runs no applications."
            return host.sessionFailed(
                session, error: MediaDeviceError(.sessionFailed, detail: .notSupported, reason: reason))
        }
        guard let device = uses.first(where: { $0.value.contains(session.id) })?.key else {
            return host.sessionFailed(
                session, error: MediaDeviceError(.connectionFailed, reason: "The device is not connected."))
        }
        let player = BluetoothPlayer(url.absoluteString, session.mediaInformation, on: device) {
            [directory] () async throws(BluetoothAudioError) in try await directory.device(device)
        }
        // What played before makes way for it.
        let others = players.filter { $0.value.device == device }
        for id in others.keys { players[id] = nil }
        players[session.id] = player
        player.control.setLevel(level(of: device), isMuted: false)
        // Bluetooth has no mute.
        player.control.unsupportedFeatures = .mute
        player.control.onCommand = { [weak self, weak player] in self?.perform($0, player) }
        player.onReport = { [weak self, weak player] report in
            guard let self, let player, players[session.id] === player else { return }
            self.report(report, of: player, session)
        }
        Task {
            for other in others.values { await other.stop() }
            player.start()
        }
    }

    func stopSession(_ session: MediaOutputSession) {
        guard let player = players.removeValue(forKey: session.id) else { return }
        Task { await player.stop() }
    }

    private func perform(_ command: LiveSoundControl.Command, _ player: BluetoothPlayer?) {
        guard let player else { return }
        switch command {
        case .volume(let level): setVolume(level, of: player.device)
        case .playing, .seek: player.perform(command)
        case .muted: break
        }
    }

    private func report(_ report: BluetoothPlayer.Report, of player: BluetoothPlayer, _ session: MediaOutputSession) {
        switch report {
        case .started: host.started(application: nil, playbackControl: player.control, session: session)
        case .ended:
            players[session.id] = nil
            host.sessionEnded(session)
        case .failed(let error):
            players[session.id] = nil
            host.sessionFailed(session, error: error)
        }
    }
}
