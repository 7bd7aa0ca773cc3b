import Foundation
public import MediaDevice

/// The devices of one extension: discovers and activates them, and passes each request to its device.
@MainActor
public final class PlayerController<Described: PlayerProtocol> {
    private struct Activation: Hashable {
        let device: MediaOutputDevice.ID
        let session: MediaOutputSession.ID
    }

    private struct Attempt {
        var flow: ActivationFlow
        var task: Task<Void, Never>?
        /// The questions of the device while it is opened.
        var prompt: PlayerPrompt?
    }

    private let described: Described
    private let host: MediaDeviceRoutingManager
    private let policy: ReconnectPolicy
    private let clock: any Clock<Duration>
    private lazy var scanner = DeviceScanner(described, host: host) { [weak self] in self?.seen($0) ?? $0 }
    private var isDiscovering = false
    private var active: [MediaOutputDevice.ID: ActiveDevice<Described>] = [:]
    private var attempts: [Activation: Attempt] = [:]

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
        if !isDiscovering, active.isEmpty, attempts.isEmpty { scanner.stop() }
    }

    private func seen(_ device: MediaOutputDevice) -> MediaOutputDevice { active[device.id]?.seen(device) ?? device }

    // MARK: Activation

    func activate(_ device: MediaOutputDevice, for session: MediaOutputSession) {
        let stored = host.credential(for: device)
        // A device that was just forgotten is opened again: the old connection no longer proves anything.
        if let known = active[device.id], known.isUsable, known.secret == stored { return known.activate(session) }
        let key = Activation(device: device.id, session: session.id)
        attempts.removeValue(forKey: key)?.task?.cancel()
        let flow = ActivationFlow(name: device.displayName, stored: stored)
        attempts[key] = Attempt(flow: flow)
        scanner.keepWatching()
        perform(flow.first, device, session)
    }

    func answer(_ text: String?, to device: MediaOutputDevice, for session: MediaOutputSession) {
        let key = Activation(device: device.id, session: session.id)
        // A cancellation that answers no question ends the attempt.
        if let prompt = attempts[key]?.prompt, prompt.isShown, prompt.answer(text) || text != nil { return }
        var attempt = attempts[key] ?? Attempt(flow: ActivationFlow(name: device.displayName, stored: nil))
        attempt.task?.cancel()
        let step = attempt.flow.answered(text)
        attempts[key] = attempt
        perform(step, device, session)
    }

    func deactivate(_ device: MediaOutputDevice, for session: MediaOutputSession) {
        attempts.removeValue(forKey: Activation(device: device.id, session: session.id))?.task?.cancel()
        guard let known = active[device.id] else { return stopScanningIfUnneeded() }
        Task {
            await known.deactivate(session)
            guard known.isUnused, active[device.id] === known else { return }
            active[device.id] = nil
            stopScanningIfUnneeded()
            await known.close()
        }
    }

    private func perform(_ step: ActivationFlow.Step, _ device: MediaOutputDevice, _ session: MediaOutputSession) {
        let key = Activation(device: device.id, session: session.id)
        switch step {
        case .open(let secret):
            let prompt = PlayerPrompt { [weak self] in self?.ask($0, device, session) }
            attempts[key]?.prompt = prompt
            attempts[key]?.task = Task { await open(device, secret, prompt, session) }
        case .forgetAndOpen:
            host.setCredential(nil, for: device)
            perform(.open(.none), device, session)
        case .ask(let request):
            ask(request, device, session)
        case .fail(let error):
            attempts[key] = nil
            host.failedToActivateDevice(device, session: session, error: error)
            stopScanningIfUnneeded()
        case .finish: break
        }
    }

    private func ask(_ request: SecretRequest, _ device: MediaOutputDevice, _ session: MediaOutputSession) {
        host.requestPairingCode(
            for: device, session: session, reason: "\(request.reason)", authorizationMethod: request.method)
    }

    private func open(
        _ device: MediaOutputDevice, _ secret: PlayerSecret, _ prompt: PlayerPrompt, _ session: MediaOutputSession
    ) async {
        let key = Activation(device: device.id, session: session.id)
        do throws(PlayerOpeningError) {
            let player = try await described.open(device, secret: secret, prompt: prompt)
            guard !Task.isCancelled, let flow = attempts.removeValue(forKey: key)?.flow else {
                return await player.close()
            }
            if case .finish(let secret?) = flow.opened(toStore: player.secretToStore) {
                host.setCredential(secret, for: device)
            }
            await use(player, of: device, for: session)
        } catch {
            guard !Task.isCancelled, let step = attempts[key]?.flow.refused(error) else { return }
            attempts[key]?.prompt = nil
            perform(step, device, session)
        }
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

    func volume(for device: MediaOutputDevice) -> Float { Float(active[device.id]?.volume ?? 0) }

    func changeVolume(by steps: Int, for device: MediaOutputDevice) { active[device.id]?.wish(.changeVolume(steps)) }

    func toggleMute(of device: MediaOutputDevice) {
        guard let known = active[device.id] else { return }
        known.wish(.setMuted(!known.isMuted))
    }

    func isMuted(_ device: MediaOutputDevice) -> Bool { active[device.id]?.isMuted ?? false }

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
