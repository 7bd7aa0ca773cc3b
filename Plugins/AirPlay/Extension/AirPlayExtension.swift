import AirPlayProtocol
import Foundation
import LiveSound
import MediaDevice

/// The extension for AirPlay speakers. It decodes media here and sends it to them in real time.
@main
final class AirPlayExtension: MediaDeviceExtension, PlaybackAdopting, MediaReading {
    private let setting: AirPlayPlaybackSession.Setting
    private lazy var host = MediaDeviceRoutingManager.routingManager(for: self)
    private lazy var discovery = AirPlayDiscovery(host: host) { [weak self] in self?.seen($0) }
    private var isDiscovering = false
    private var devices: [MediaOutputDevice.ID: AirPlayDevice] = [:]
    private var players: [MediaOutputSession.ID: AirPlayPlayer] = [:]
    /// Receivers that are being let go, and could still think that they are used.
    private var endings: Set<Task<Void, Never>> = []
    /// The activations in progress. A cancelled one is removed.
    private var activations: [Activation: Task<Void, Never>] = [:]
    /// Receivers that show a code, and wait for it.
    private var attempts: [Activation: PairingAttempt] = [:]
    private var pauses = PairingPauses()

    private struct Activation: Hashable {
        let device: MediaOutputDevice.ID
        let session: MediaOutputSession.ID
    }

    required convenience init() { self.init(.init(timeouts: AirPlayTimeouts(), ports: .ofProcess)) }

    init(_ setting: AirPlayPlaybackSession.Setting) { self.setting = setting }

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

    /// Stops the discovery unless a receiver is in use, whose address may change.
    private func stopBrowsingIfUnneeded() {
        if !isDiscovering, devices.isEmpty { discovery.stop() }
    }

    private func seen(_ device: MediaOutputDevice) {
        guard let active = devices[device.id] else { return }
        active.seen(device)
        for player in players.values { player.moved() }
    }

    // MARK: Activation

    func activateDevice(
        _ device: MediaOutputDevice, session: MediaOutputSession, for deviceFeatures: MediaOutputDevice.Capabilities
    ) {
        if let active = devices[device.id] { return activated(active, session) }
        if AirPlayDeviceFacts(device).access.takesCode, host.credential(for: device) == nil,
            let obstacle = pauses.obstacle(to: device.id, at: .now)
        {
            return host.failedToActivateDevice(device, session: session, error: MediaDeviceError(obstacle))
        }
        activate(device, session) { await $0.withStoredSecret() }
    }

    func connectUsingPairingCode(_ pairingCode: String?, to device: MediaOutputDevice, session: MediaOutputSession) {
        let attempt = attempts.removeValue(forKey: Activation(device: device.id, session: session.id))
        guard let pairingCode else {
            Task { await attempt?.cancel() }
            let error = MediaDeviceError(.authorizationFailed, reason: "Nothing was entered.")
            return host.failedToActivateDevice(device, session: session, error: error)
        }
        activate(device, session) {
            if let attempt { await $0.withCode(pairingCode, attempt) } else { await $0.withPassword(pairingCode) }
        }
    }

    func deactivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession) {
        let key = Activation(device: device.id, session: session.id)
        activations.removeValue(forKey: key)?.cancel()
        if let attempt = attempts.removeValue(forKey: key) { Task { await attempt.cancel() } }
        guard let active = devices[device.id] else { return }
        let player = players[session.id]
        if player?.members.allSatisfy({ $0 === active }) == true { players[session.id] = nil }
        letGo(active, session)
        let ending = Task { await player?.remove(active) ?? () }
        endings.insert(ending)
        Task {
            await ending.value
            endings.remove(ending)
        }
    }

    private func letGo(_ device: AirPlayDevice, _ session: MediaOutputSession) {
        device.deactivate(session)
        guard device.isUnused, devices[device.device.id] === device else { return }
        devices[device.device.id] = nil
        stopBrowsingIfUnneeded()
    }

    /// Adds an activated device to its session. Devices of one session play together.
    private func activated(_ device: AirPlayDevice, _ session: MediaOutputSession) {
        device.activate(for: session)
        let player = players[session.id] ?? AirPlayPlayer(session, host: host, setting: setting)
        players[session.id] = player
        player.onLeft = { [weak self] device, error in
            self?.letGo(device, session)
            self?.host.failedToActivateDevice(device.device, session: session, error: error)
        }
        player.add(device)
        host.activatedDevice(device.device, session: session)
    }

    private func activate(
        _ device: MediaOutputDevice, _ session: MediaOutputSession,
        by attempt: @escaping @MainActor (AirPlayActivation) async -> AirPlayActivation.Outcome
    ) {
        let activation = AirPlayActivation(device: device, host: host, timeouts: setting.timeouts)
        let key = Activation(device: device.id, session: session.id)
        activations[key]?.cancel()
        activations[key] = Task {
            let outcome = await attempt(activation)
            guard !Task.isCancelled else {
                // The activation was cancelled meanwhile.
                if case .needsCode(_, let attempt) = outcome { await attempt.cancel() }
                return
            }
            activations[key] = nil
            finish(outcome, device, session)
        }
    }

    private func finish(
        _ outcome: AirPlayActivation.Outcome, _ device: MediaOutputDevice, _ session: MediaOutputSession
    ) {
        switch outcome {
        case .ready(let secret):
            // Another session may have been faster.
            let active = devices[device.id] ?? AirPlayDevice(device, secret: secret, host: host)
            devices[device.id] = active
            discovery.start()
            activated(active, session)
        case .needsPassword(let reason):
            host.requestPairingCode(
                for: device, session: session, reason: "\(reason)", authorizationMethod: .password)
        case .needsCode(let reason, let attempt):
            let key = Activation(device: device.id, session: session.id)
            attempts[key] = attempt
            host.requestPairingCode(
                for: device, session: session, reason: "\(reason)",
                authorizationMethod: .numericCode(length: .fourCharacter))
            Task {
                await attempt.end()
                guard let waiting = attempts[key], waiting === attempt else { return }
                attempts[key] = nil
                finish(AirPlayActivation.withdrawn, device, session)
            }
        case .notPaired(let failure):
            pauses.note(failure, of: device.id, at: .now)
            host.failedToActivateDevice(device, session: session, error: MediaDeviceError(failure))
        case .failed(let error):
            host.failedToActivateDevice(device, session: session, error: error)
        }
    }

    // MARK: Volume

    func setVolume(_ volume: Float, for device: MediaOutputDevice) { devices[device.id]?.volume = volume }

    func volume(for device: MediaOutputDevice) -> Float { devices[device.id]?.volume ?? 0 }

    /// Not called: a receiver's level is absolute. One step is five hundredths all the same.
    func changeVolume(by increments: Int, for device: MediaOutputDevice) {
        devices[device.id]?.volume += Float(max(-20, min(20, increments))) * AirPlayDevice.step
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
        play(in: session) { $0.start(url.absoluteString) }
    }

    func adoptPlayback(_ playback: EarlierPlayback, in session: MediaOutputSession) {
        if let place = playback.token.flatMap(PlaybackPlace.init) {
            play(in: session) { $0.send(.media($0.session.reader), at: place) }
        } else if let place = playback.token.flatMap(VideoPlayback.VideoPlace.init) {
            play(in: session) { $0.adopt(playback.url.absoluteString, place) }
        } else {
            host.sessionEnded(session)
        }
    }

    private func play(in session: MediaOutputSession, by begin: @escaping @MainActor (AirPlayPlayer) -> Void) {
        guard let player = players[session.id], !player.members.isEmpty else {
            return host.sessionFailed(
                session, error: MediaDeviceError(.connectionFailed, reason: "The device is not connected."))
        }
        player.session = session
        let others = players.values.filter { other in
            other !== player && other.members.contains { device in player.members.contains { $0 === device } }
        }
        Task {
            for other in others { await other.stop() }
            for ending in endings { await ending.value }
            begin(player)
        }
    }

    func startRealtimeSampleDelivery(session: MediaOutputSession) {
        do throws(MediaDeviceError) {
            let reader = try MediaSampleReader.forLiveSound(in: session)
            play(in: session) { $0.send(.samples(reader)) }
        } catch {
            host.sessionFailed(session, error: error)
        }
    }

    func stopRealtimeSampleDelivery(session: MediaOutputSession) { stopSession(session) }

    func stopSession(_ session: MediaOutputSession) {
        guard let player = players[session.id] else { return }
        Task { await player.stop() }
    }
}
