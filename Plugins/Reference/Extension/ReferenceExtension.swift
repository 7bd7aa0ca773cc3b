import Foundation
import MediaDevice
import PlaybackKit
import ReferenceProtocol

/// The extension for reference receivers. It uses only the public SDK, so it doubles as an example.
@main
final class ReferenceExtension: MediaDeviceExtension, PlaybackAdopting, RealtimeSampleHandling {
    /// A function that opens a connection to a device.
    typealias Connect = @Sendable (MediaOutputDevice) async throws(ConnectionFailure) -> any ReceiverLink

    private lazy var host = MediaDeviceRoutingManager.routingManager(for: self)
    private lazy var scanner = DeviceScanner(ReferenceDiscovery(), host: host)
    private let connect: Connect
    private let clock: any Clock<Duration>
    private var devices: [MediaOutputDevice.ID: ReferenceDevice] = [:]
    /// The playback of each session.
    private var players: [MediaOutputSession.ID: ReferencePlayer] = [:]
    /// The live sound and pictures of each session.
    private var deliveries: [MediaOutputSession.ID: LiveDelivery<ReferenceDevice>] = [:]
    private var lastArrival = 0
    private lazy var activations = makeActivations()

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

    func startDeviceDiscovery() { scanner.start() }

    func stopDeviceDiscovery() { scanner.stop() }

    // MARK: Activation

    func activateDevice(
        _ device: MediaOutputDevice, session: MediaOutputSession, for deviceFeatures: MediaOutputDevice.Capabilities
    ) {
        if let active = devices[device.id], active.isConnected { return activated(active, session) }
        activations.activate(device, for: session)
    }

    func connectUsingPairingCode(_ pairingCode: String?, to device: MediaOutputDevice, session: MediaOutputSession) {
        // A confirmation on the receiver may have been faster than the person here.
        if devices[device.id]?.isUsed(by: session) == true { return }
        activations.answer(pairingCode, to: device, for: session)
    }

    func deactivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession) {
        activations.cancel(device, for: session)
        guard let active = devices[device.id] else { return }
        players[session.id]?.remove(active)
        deliveries[session.id]?.remove(active)
        active.deactivate(session)
        if members(of: session).isEmpty { players[session.id] = nil }
        guard active.isUnused else { return }
        devices[device.id] = nil
        Task { await active.close() }
    }

    private func makeActivations() -> DeviceActivations<OpenedReceiver> {
        DeviceActivations(
            host: host,
            open: { [host, connect] (device, secret, prompt) async throws(PlayerOpeningError) in
                let activation = ReferenceActivation(device: device, client: host.hostName ?? "mdhost", prompt: prompt)
                return try await activation.open(secret, by: connect)
            },
            discard: { await $0.link.close() }, use: { [weak self] in await self?.use($0, of: $1, for: $2) })
    }

    private func use(_ opened: OpenedReceiver, of device: MediaOutputDevice, for session: MediaOutputSession) async {
        let previous = devices[device.id]
        let active = ReferenceDevice(device, opened, host: host)
        devices[device.id] = active
        activated(active, session)
        await previous?.close()
    }

    /// Adds an activated device to its session. Devices of one session play together.
    private func activated(_ device: ReferenceDevice, _ session: MediaOutputSession) {
        lastArrival += 1
        device.activate(for: session, order: lastArrival)
        let members = members(of: session)
        if members.count > 1 { host.updateDevices(members.map(\.device)) }
        players[session.id]?.add(device)
        deliveries[session.id]?.add(device)
    }

    /// Returns the devices of a session, in their order of arrival.
    private func members(of session: MediaOutputSession) -> [ReferenceDevice] {
        devices.values.filter { $0.isConnected && $0.isUsed(by: session) }
            .sorted { $0.order(in: session) < $1.order(in: session) }
    }

    // MARK: Volume

    func setVolume(_ volume: Float, for device: MediaOutputDevice) {
        devices[device.id]?.perform(.setVolume(Double(volume)))
    }

    func volume(for device: MediaOutputDevice) -> Float { devices[device.id]?.volume ?? 0 }

    func changeVolume(by increments: Int, for device: MediaOutputDevice) {
        devices[device.id]?.perform(.changeVolume(increments))
    }

    func muteDevice(_ device: MediaOutputDevice) {
        guard let device = devices[device.id] else { return }
        device.perform(.setMuted(!device.isMuted))
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
        let media = PlayableMedia(url: url, information: session.mediaInformation, session: session)
        players[session.id]?.letGo()
        let player = ReferencePlayer(session, id: id, application: application, media: media, host: host, clock: clock)
        players[session.id] = player
        if !begin(player, members) {
            players[session.id] = nil
            host.sessionEnded(session)
        }
    }

    func stopSession(_ session: MediaOutputSession) { players.removeValue(forKey: session.id)?.stop() }

    // MARK: Live sound and pictures

    func startRealtimeSampleDelivery(session: MediaOutputSession) {
        let members = members(of: session)
        do throws(MediaDeviceError) {
            guard !members.isEmpty else {
                throw MediaDeviceError(.connectionFailed, reason: "The device is not connected.")
            }
            let delivery = try LiveDelivery<ReferenceDevice>(session, host: host, clock: clock)
            deliveries.updateValue(delivery, forKey: session.id)?.end()
            delivery.start(on: members)
        } catch {
            host.sessionFailed(session, error: error)
        }
    }

    func stopRealtimeSampleDelivery(session: MediaOutputSession) {
        guard let delivery = deliveries.removeValue(forKey: session.id) else { return }
        host.reportQualityMetricsPassed(delivery.stop(), forSession: session)
    }

    func sendData(_ data: Data, toApplication applicationIdentifier: String, session: MediaOutputSession) {
        for device in devices.values where device.isUsed(by: session) { device.send(.send(data: data)) }
    }
}
