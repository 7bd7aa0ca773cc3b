import DLNAProtocol
import Foundation
import MediaDevice

/// The extension for DLNA and UPnP renderers: televisions, network speakers, receivers.
@main
final class DLNAExtension: MediaDeviceExtension, PlaybackAdopting {
    /// The time limit of the search for a remembered device at another address.
    private static let searchTime = Duration.seconds(5)

    let protocolType = UTType(exportedAs: "org.mdhost.protocol.dlna")
    let supportsSimultaneousSessions = true

    private lazy var routingManager = MediaDeviceRoutingManager.routingManager(for: self)
    private lazy var directory = RendererDirectory(network: NetworkRuntime.network) { [weak self] in self?.report($0) }
    private lazy var browser = RendererBrowser(directory: directory) { [weak self] reason in
        self?.routingManager.discoveryFailed(MediaDeviceError(.discoveryFailed, reason: reason))
    }

    private var isDiscovering = false
    private var renderers: [UUID: Renderer] = [:]
    /// Sessions each renderer is active in.
    private var activations: [UUID: Set<String>] = [:]
    private var sessions: [String: RendererSession] = [:]
    private var waiting: [UUID: [CheckedContinuation<RendererDetails?, Never>]] = [:]

    init() {}

    // MARK: Discovery

    func startDeviceDiscovery() {
        isDiscovering = true
        browser.start()
    }

    func stopDeviceDiscovery() {
        isDiscovering = false
        stopBrowsingIfUnneeded()
    }

    /// A device in use is watched too: it may move.
    private func stopBrowsingIfUnneeded() {
        if !isDiscovering, activations.isEmpty, waiting.isEmpty { browser.stop() }
    }

    private func report(_ change: RendererDirectory.Change) {
        switch change {
        case .found(let details), .changed(let details):
            guard let device = details.device else { return }
            routingManager.foundDevice(device)
            for continuation in waiting.removeValue(forKey: device.id) ?? [] { continuation.resume(returning: details) }
            if let renderer = renderers[device.id] { Task { await renderer.moved(to: details) } }
        case .lost(let details):
            if let device = details.device { routingManager.lostDevice(device) }
        }
    }

    // MARK: Activation

    func activateDevice(
        _ device: MediaOutputDevice, session: MediaOutputSession, for deviceFeatures: MediaOutputDevice.Capabilities
    ) {
        activations[device.id, default: []].insert(session.id)
        browser.start()
        Task {
            do throws(DeviceFailure) {
                let renderer = try await activate(device)
                guard activations[device.id]?.contains(session.id) == true else { return closeIfUnused(device.id) }
                renderer.volumeChangedByDevice = { [weak self] in self?.routingManager.volumeChanged(for: device) }
                routingManager.activatedDevice(device, session: session)
            } catch {
                deactivateDevice(device, session: session)
                routingManager.failedToActivateDevice(device, session: session, error: MediaDeviceError(error))
            }
        }
    }

    private func activate(_ device: MediaOutputDevice) async throws(DeviceFailure) -> Renderer {
        if let renderer = renderers[device.id] { return renderer }
        let renderer = Renderer(try await details(of: device), network: NetworkRuntime.network)
        try await renderer.activate()
        // Another activation of the same device may have been faster.
        if let other = renderers[device.id] {
            await renderer.close()
            return other
        }
        renderers[device.id] = renderer
        return renderer
    }

    private func details(of device: MediaOutputDevice) async throws(DeviceFailure) -> RendererDetails {
        if let known = directory.details(of: device.id) { return known }
        guard let location = device.descriptionLocation else { throw .unreachable("its address is not known") }
        do throws(DeviceFailure) {
            return try await directory.read(device.id, at: location)
        } catch {
            guard let moved = await search(device.id) else { throw error }
            return moved
        }
    }

    private func search(_ identifier: UUID) async -> RendererDetails? {
        let timer = Task {
            try await Task.sleep(for: Self.searchTime)
            for continuation in waiting.removeValue(forKey: identifier) ?? [] { continuation.resume(returning: nil) }
        }
        defer { timer.cancel() }
        return await withCheckedContinuation { waiting[identifier, default: []].append($0) }
    }

    func connectUsingPairingCode(_ pairingCode: String?, to device: MediaOutputDevice, session: MediaOutputSession) {
        // Never called: these devices have no pairing.
    }

    func deactivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession) {
        activations[device.id]?.remove(session.id)
        if activations[device.id]?.isEmpty == true { activations[device.id] = nil }
        closeIfUnused(device.id)
        stopBrowsingIfUnneeded()
    }

    private func closeIfUnused(_ identifier: UUID) {
        guard activations[identifier] == nil, let renderer = renderers.removeValue(forKey: identifier) else { return }
        let playing = renderer.session
        Task {
            await playing?.stop()
            await renderer.close()
        }
    }

    // MARK: Volume

    func setVolume(_ volume: Float, for device: MediaOutputDevice) { renderers[device.id]?.volume.set(volume) }

    func volume(for device: MediaOutputDevice) -> Float { renderers[device.id]?.volume.level ?? 0 }

    func muteDevice(_ device: MediaOutputDevice) {
        guard let volume = renderers[device.id]?.volume else { return }
        volume.setMuted(!volume.isMuted)
    }

    func isDeviceMuted(_ device: MediaOutputDevice) -> Bool { renderers[device.id]?.volume.isMuted ?? false }

    // MARK: Playback

    func startSession(_ session: MediaOutputSession, identifier: String?, url: URL) {
        guard let renderer = renderer(in: session) else {
            return fail(session, .init(.sessionFailed, reason: "No DLNA device is active in this session."))
        }
        guard identifier == nil else {
            return fail(
                session, .init(.sessionFailed, detail: .notSupported, reason: "DLNA devices have no applications."))
        }
        guard ["http", "https"].contains(url.scheme?.lowercased()) else {
            return fail(
                session,
                .init(
                    .sessionFailed, detail: .notSupported,
                    reason: "DLNA devices play http addresses, not \(url.scheme ?? "this one")."))
        }
        // The newest wins: the device has one player.
        let previous = sessions[session.id]
        let playback = makePlayback(of: url, on: renderer, session)
        Task {
            await previous?.stop()
            playback.start()
        }
    }

    func adoptPlayback(_ playback: EarlierPlayback, in session: MediaOutputSession) {
        guard let renderer = renderer(in: session) else {
            return fail(session, .init(.connectionFailed, reason: "No DLNA device is active in this session."))
        }
        let startedAt = playback.token.flatMap { Double(String(decoding: $0, as: UTF8.self)) }
        makePlayback(of: playback.url, on: renderer, session).adopt(startedAt: startedAt)
    }

    private func renderer(in session: MediaOutputSession) -> Renderer? {
        activations.filter { $0.value.contains(session.id) }.keys.compactMap { renderers[$0] }.first
    }

    private func makePlayback(of url: URL, on renderer: Renderer, _ session: MediaOutputSession) -> RendererSession {
        let playback = RendererSession(renderer, url: url, information: session.mediaInformation) { [weak self] in
            self?.handle($0, session)
        }
        sessions[session.id] = playback
        return playback
    }

    func stopSession(_ session: MediaOutputSession) {
        guard let playback = sessions.removeValue(forKey: session.id) else { return }
        Task { await playback.stop() }
    }

    private func handle(_ report: RendererSession.Report, _ session: MediaOutputSession) {
        switch report {
        case .started(let control):
            if let startedAt = sessions[session.id]?.startedAt {
                routingManager.setAdoptionToken(Data(String(startedAt).utf8), for: session)
            }
            routingManager.started(application: nil, playbackControl: control, session: session)
        case .ended:
            sessions[session.id] = nil
            routingManager.sessionEnded(session)
        case .failed(let error): fail(session, error)
        }
    }

    private func fail(_ session: MediaOutputSession, _ error: MediaDeviceError) {
        sessions[session.id] = nil
        routingManager.sessionFailed(session, error: error)
    }
}
