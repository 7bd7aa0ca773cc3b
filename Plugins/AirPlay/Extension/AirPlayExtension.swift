import AirPlayPairing
import AirPlayProtocol
import Foundation
import LiveSound
import MediaDevice
import PlaybackKit

/// The extension for AirPlay speakers. It decodes media here and sends it to them in real time.
@main
final class AirPlayExtension: MediaDeviceExtension, PlaybackAdopting, MediaReading {
    private let setting: AirPlayPlaybackSession.Setting
    private lazy var host = MediaDeviceRoutingManager.routingManager(for: self)
    private lazy var discovery = AirPlayDiscovery(host: host) { [weak self] in self?.seen($0) }
    private var isDiscovering = false
    private var devices: [MediaOutputDevice.ID: AirPlayDevice] = [:]
    private lazy var levels = ReceiverLevels(folder: host.stateDirectory)
    private var players: [MediaOutputSession.ID: AirPlayPlayer] = [:]
    /// Receivers that are being let go, and could still think that they are used.
    private var endings: Set<Task<Void, Never>> = []
    private let pauses = PairingPauses()
    private lazy var activations = makeActivations()

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
        activations.activate(device, for: session)
    }

    func connectUsingPairingCode(_ pairingCode: String?, to device: MediaOutputDevice, session: MediaOutputSession) {
        activations.answer(pairingCode, to: device, for: session)
    }

    func deactivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession) {
        activations.cancel(device, for: session)
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

    private func makeActivations() -> DeviceActivations<ReceiverSecret?> {
        DeviceActivations(
            host: host,
            open: { [host, setting, pauses] (device, secret, prompt) async throws(PlayerOpeningError) in
                let activation = AirPlayActivation(
                    device: device, host: host, timeouts: setting.timeouts, prompt: prompt, pauses: pauses)
                return try await activation.open(secret)
            },
            // Its connections are closed already.
            discard: { _ in }, use: { [weak self] in self?.use($1, $0, for: $2) })
    }

    private func use(_ device: MediaOutputDevice, _ secret: ReceiverSecret?, for session: MediaOutputSession) {
        // Another session may have been faster.
        let active = devices[device.id] ?? AirPlayDevice(device, secret: secret, levels: levels, host: host)
        devices[device.id] = active
        discovery.start()
        activated(active, session)
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
            let reader = try MediaSampleReader(
                session: session, encoding: .signed16, sampleRate: StreamDescription.frameRate, channelCount: 2)
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
