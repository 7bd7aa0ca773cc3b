import Foundation
import MediaDevice
import ReferenceProtocol

/// The extension for reference receivers. It uses only the public SDK, so it doubles as an example.
@main
final class ReferenceExtension: MediaDeviceExtension, PlaybackAdopting {
    /// A function that opens a connection to a device.
    typealias Connect = @Sendable (MediaOutputDevice) async throws(ConnectionFailure) -> any ReceiverLink

    private lazy var host = MediaDeviceRoutingManager.routingManager(for: self)
    private lazy var discovery = ReferenceDiscovery(host: host)
    private let connect: Connect
    private let clock: any Clock<Duration>
    private var devices: [MediaOutputDevice.ID: ReferenceDevice] = [:]
    /// The playback of each session.
    private var players: [MediaOutputSession.ID: ReferencePlayer] = [:]
    private var lastArrival = 0
    /// The activations in progress. A cancelled one is removed.
    private var activations: [ActivationKey: ReferenceActivation] = [:]

    /// The key of an activation. A session can activate several devices at once.
    private struct ActivationKey: Hashable {
        let device: MediaOutputDevice.ID
        let session: MediaOutputSession.ID

        init(_ device: MediaOutputDevice, _ session: MediaOutputSession) {
            self.device = device.id
            self.session = session.id
        }
    }

    required convenience init() { self.init(clock: ContinuousClock()) }

    /// Creates an extension with its own clock and connections, for tests.
    init(
        clock: any Clock<Duration> = ContinuousClock(),
        connect: @escaping Connect = { (device) async throws(ConnectionFailure) in
            try await ReferenceConnection.open(device.networkEndpoints)
        }
    ) {
        self.clock = clock
        self.connect = connect
    }

    let protocolType = UTType(exportedAs: "org.mdhost.protocol.reference")
    let supportsSimultaneousSessions = true

    // MARK: Discovery

    func startDeviceDiscovery() { discovery.start() }

    func stopDeviceDiscovery() { discovery.stop() }

    // MARK: Activation

    func activateDevice(
        _ device: MediaOutputDevice, session: MediaOutputSession, for deviceFeatures: MediaOutputDevice.Capabilities
    ) {
        if let active = devices[device.id], active.isConnected { return activated(active, session) }
        let activation = ReferenceActivation(device, session, host: host, connect: connect)
        activations[ActivationKey(device, session)] = activation
        Task { await finish(activation, await activation.begin()) }
    }

    func connectUsingPairingCode(_ pairingCode: String?, to device: MediaOutputDevice, session: MediaOutputSession) {
        // A confirmation on the receiver may have been faster than the person here.
        if devices[device.id]?.isUsed(by: session) == true { return }
        guard let activation = activations[ActivationKey(device, session)] else {
            let error = MediaDeviceError(.authorizationFailed, reason: "No code was asked for.")
            return host.failedToActivateDevice(device, session: session, error: error)
        }
        guard let pairingCode else {
            activations[ActivationKey(device, session)] = nil
            Task { await activation.cancel() }
            let error = MediaDeviceError(.authorizationFailed, reason: "The pairing was cancelled.")
            return host.failedToActivateDevice(device, session: session, error: error)
        }
        // A confirmation has no code; the key press counts, and is already awaited.
        guard !pairingCode.isEmpty else { return }
        Task { await finish(activation, await activation.answer(pairingCode)) }
    }

    func deactivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession) {
        let activation = activations.removeValue(forKey: ActivationKey(device, session))
        let active = devices[device.id]
        if let active { players[session.id]?.remove(active) }
        active?.deactivate(session)
        if members(of: session).isEmpty { players[session.id] = nil }
        let unused = active?.isUnused == true ? devices.removeValue(forKey: device.id) : nil
        Task {
            await activation?.cancel()
            await unused?.close()
        }
    }

    private func finish(_ activation: ReferenceActivation, _ outcome: ReferenceActivation.Outcome) async {
        let (device, session) = (activation.device, activation.session)
        let key = ActivationKey(device, session)
        // Cancelled meanwhile: close its connection.
        guard activations[key] === activation else { return await activation.cancel() }
        switch outcome {
        case .ready(let link, let welcome):
            activations[key] = nil
            let previous = devices[device.id]
            let active = ReferenceDevice(device, link: link, welcome: welcome, host: host)
            devices[device.id] = active
            activated(active, session)
            await previous?.close()
        case .challenge(let method, let reason):
            host.requestPairingCode(
                for: device, session: session, reason: "\(reason)", authorizationMethod: method)
            if let outcome = await activation.decision() { await finish(activation, outcome) }
        case .failed(let error):
            activations[key] = nil
            host.failedToActivateDevice(device, session: session, error: error)
        }
    }

    /// Adds an activated device to its session. Devices of one session play together.
    private func activated(_ device: ReferenceDevice, _ session: MediaOutputSession) {
        lastArrival += 1
        device.activate(for: session, order: lastArrival)
        let members = members(of: session)
        if members.count > 1 { host.updateDevices(members.map(\.device)) }
        players[session.id]?.add(device)
    }

    /// Returns the devices of a session, in their order of arrival.
    private func members(of session: MediaOutputSession) -> [ReferenceDevice] {
        devices.values.filter { $0.isConnected && $0.isUsed(by: session) }
            .sorted { $0.order(in: session) < $1.order(in: session) }
    }

    // MARK: Volume

    func setVolume(_ volume: Float, for device: MediaOutputDevice) { devices[device.id]?.setVolume(volume) }

    func volume(for device: MediaOutputDevice) -> Float { devices[device.id]?.volume ?? 0 }

    func changeVolume(by increments: Int, for device: MediaOutputDevice) {
        devices[device.id]?.send(.changeVolume(steps: increments))
    }

    func muteDevice(_ device: MediaOutputDevice) {
        guard let device = devices[device.id] else { return }
        device.setMuted(!device.isMuted)
    }

    func isDeviceMuted(_ device: MediaOutputDevice) -> Bool { devices[device.id]?.isMuted ?? false }

    // MARK: Playback

    func startSession(_ session: MediaOutputSession, identifier: String?, url: URL) {
        play(session, id: UUID().uuidString, application: identifier, url: url) { player, members in
            player.start(on: members)
            return true
        }
    }

    func adoptPlayback(_ playback: EarlierPlayback, in session: MediaOutputSession) {
        let id = playback.token.map { String(decoding: $0, as: UTF8.self) } ?? ""
        play(session, id: id, application: playback.applicationIdentifier, url: playback.url) { player, members in
            player.adopt(on: members)
        }
    }

    /// Starts or adopts playback.
    ///
    /// - Parameter begin: A function that returns `true` if something plays.
    private func play(
        _ session: MediaOutputSession, id: String, application: String?, url: URL,
        _ begin: (ReferencePlayer, [ReferenceDevice]) -> Bool
    ) {
        let members = members(of: session)
        guard !members.isEmpty else {
            return host.sessionFailed(
                session, error: MediaDeviceError(.connectionFailed, reason: "The device is not connected."))
        }
        let information = session.mediaInformation
        let media = ReferenceMedia(
            url: url.absoluteString, title: information?.title, artist: information?.artist,
            contentType: information?.contentType, duration: information?.duration,
            position: information?.startPosition)
        players[session.id]?.letGo()
        let player = ReferencePlayer(session, id: id, application: application, media: media, host: host, clock: clock)
        players[session.id] = player
        if !begin(player, members) {
            players[session.id] = nil
            host.sessionEnded(session)
        }
    }

    func stopSession(_ session: MediaOutputSession) { players.removeValue(forKey: session.id)?.stop() }

    func sendData(_ data: Data, toApplication applicationIdentifier: String, session: MediaOutputSession) {
        for device in devices.values where device.isUsed(by: session) { device.send(.send(data: data)) }
    }
}
