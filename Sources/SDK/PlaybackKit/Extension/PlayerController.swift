import Foundation
public import MediaDevice

/// The devices of one extension: discovers and activates them, and passes each request to its device.
@MainActor
public final class PlayerController<Described: PlayerProtocol> {
    private let described: Described
    private let host: MediaDeviceRoutingManager
    private let policy: ReconnectPolicy
    private let clock: any Clock<Duration>
    private lazy var scanner = DeviceScanner(described, host: host) { [weak self] in self?.seen($0) ?? $0 }
    private var isDiscovering = false
    private var active: [MediaOutputDevice.ID: ActiveDevice<Described>] = [:]
    private lazy var activations = makeActivations()

    /// Creates the controller of an extension.
    ///
    /// - Parameters:
    ///   - described: The protocol.
    ///   - owner: The extension that reports to the host.
    ///   - policy: The schedule for the restoration of lost connections.
    ///   - clock: The clock for pauses; tests pass their own.
    public init(
        _ described: Described, for owner: any MediaDeviceExtension, policy: ReconnectPolicy = ReconnectPolicy(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.described = described
        self.policy = policy
        self.clock = clock
        host = MediaDeviceRoutingManager.routingManager(for: owner)
    }

    // MARK: Discovery

    func startDiscovery() {
        isDiscovering = true
        scanner.start()
    }

    func stopDiscovery() {
        isDiscovering = false
        stopScanningIfUnneeded()
    }

    private func stopScanningIfUnneeded() {
        if !isDiscovering, active.isEmpty, activations.isEmpty { scanner.stop() }
    }

    private func seen(_ device: MediaOutputDevice) -> MediaOutputDevice { active[device.id]?.seen(device) ?? device }

    // MARK: Activation

    func activate(_ device: MediaOutputDevice, for session: MediaOutputSession) {
        let stored = host.credential(for: device)
        // A device that was just forgotten is opened again: the old connection no longer proves anything.
        if let known = active[device.id], known.isUsable, known.secret == stored { return known.activate(session) }
        scanner.keepWatching()
        activations.activate(device, for: session)
    }

    func answer(_ text: String?, to device: MediaOutputDevice, for session: MediaOutputSession) {
        activations.answer(text, to: device, for: session)
    }

    func deactivate(_ device: MediaOutputDevice, for session: MediaOutputSession) {
        activations.cancel(device, for: session)
        guard let known = active[device.id] else { return stopScanningIfUnneeded() }
        Task {
            await known.deactivate(session)
            guard known.isUnused, active[device.id] === known else { return }
            active[device.id] = nil
            stopScanningIfUnneeded()
            await known.close()
        }
    }

    private func makeActivations() -> DeviceActivations<Described.Player> {
        DeviceActivations(
            host: host,
            open: { [described] (device, secret, prompt) async throws(PlayerOpeningError) in
                let player = try await described.open(device, secret: secret, prompt: prompt)
                return (player, player.secretToStore)
            },
            discard: { await $0.close() }, failed: { [weak self] in self?.stopScanningIfUnneeded() },
            use: { [weak self] in await self?.use($0, of: $1, for: $2) })
    }

    private func use(_ player: Described.Player, of device: MediaOutputDevice, for session: MediaOutputSession) async {
        let secret = host.credential(for: device)
        if let known = active[device.id], known.isUsable, known.secret == secret {
            // Another session was faster.
            known.activate(session)
            return await player.close()
        }
        let previous = active[device.id]
        let new = ActiveDevice(
            device, player: player, secret: secret, described: described, host: host, policy: policy, clock: clock)
        active[device.id] = new
        scanner.keepWatching()
        new.activate(session)
        await previous?.close()
    }

    // MARK: Level

    func setVolume(_ volume: Float, for device: MediaOutputDevice) {
        guard volume.isFinite else { return }
        active[device.id]?.wish(.setVolume(Double(max(0, min(1, volume)))))
    }

    func volume(for device: MediaOutputDevice) -> Float { Float(active[device.id]?.level.volume ?? 0) }

    func changeVolume(by steps: Int, for device: MediaOutputDevice) { active[device.id]?.wish(.changeVolume(steps)) }

    func toggleMute(of device: MediaOutputDevice) {
        guard let known = active[device.id] else { return }
        known.wish(.setMuted(!known.level.isMuted))
    }

    func isMuted(_ device: MediaOutputDevice) -> Bool { active[device.id]?.level.isMuted ?? false }

    // MARK: Playback

    func start(_ url: URL, application: String?, in session: MediaOutputSession) {
        guard application == nil || session.devices.allSatisfy({ $0.capabilities.contains(.appLaunch) }) else {
            let error = MediaDeviceError(
                .sessionFailed, detail: .notSupported, reason: "The device doesn't run applications.")
            return host.sessionFailed(session, error: error)
        }
        let media = PlayableMedia(url: url, information: session.mediaInformation, session: session)
        device(of: session)?.start(media, application: application, in: session)
    }

    func adopt(_ playback: EarlierPlayback, in session: MediaOutputSession) {
        let media = PlayableMedia(url: playback.url, information: session.mediaInformation, session: session)
        device(of: session)?.adopt(
            media, token: playback.token, application: playback.applicationIdentifier, in: session)
    }

    func takeControl(in session: MediaOutputSession) { device(of: session)?.takeControl(in: session) }

    func send(_ data: Data, to application: String, in session: MediaOutputSession) {
        active.values.first { $0.isUsed(by: session) }?.send(data, to: application, in: session)
    }

    func stop(_ session: MediaOutputSession) {
        for device in active.values where device.isUsed(by: session) { Task { await device.stop(session) } }
    }

    private func device(of session: MediaOutputSession) -> ActiveDevice<Described>? {
        if let device = active.values.first(where: { $0.isUsed(by: session) }) { return device }
        host.sessionFailed(session, error: MediaDeviceError(.connectionFailed, reason: "The device isn't connected."))
        return nil
    }
}

extension PlayerController where Described.Player: SamplePlayer {
    func startSamples(in session: MediaOutputSession) { device(of: session)?.startSamples(in: session) }

    func stopSamples(in session: MediaOutputSession) {
        for device in active.values {
            guard let isComplete = device.isComplete(session) else { continue }
            host.reportQualityMetricsPassed(isComplete, forSession: session)
        }
        stop(session)
    }
}
