import DLNAProtocol
import Foundation
import PlaybackKit

/// The discovery of renderers and the connection to them.
///
/// An announcement doesn't describe a renderer. The kit reads the descriptions.
@MainActor
final class RendererDevices: PlayerProtocol {
    private struct InUse {
        weak var player: RendererPlayer?
    }

    /// The time limit of the search for a remembered device at another address.
    private static let searchTime = Duration.seconds(5)

    /// Newer versions answer a search for version 1 too, but not all do.
    static let searchTargets = (1...3).map { "urn:schemas-upnp-org:device:MediaRenderer:\($0)" }

    let sources = searchTargets.map(SightingSource.ssdp)
    private let network: @MainActor () -> RendererNetwork
    private let clock: any Clock<Duration>
    private lazy var directory = DescribedDevices(clock: clock) { [network] location in
        try await RendererDetails.reading(location, transport: network().transport)
    } report: { [weak self] in
        self?.report($0)
    }
    private var changes: AsyncStream<DeviceChange>.Continuation?
    private var inUse: [UUID: InUse] = [:]
    private var waiting: [UUID: [CheckedContinuation<RendererDetails?, Never>]] = [:]

    /// - Parameters:
    ///   - network: Evaluated at the first announcement or activation.
    ///   - clock: The kit's clock.
    init(network: @escaping @MainActor () -> RendererNetwork, clock: any Clock<Duration>) {
        self.network = network
        self.clock = clock
    }

    /// Returns the player of a device in use.
    func player(of device: MediaOutputDevice) -> RendererPlayer? { inUse[device.id]?.player }

    // MARK: Discovery

    func identities(of sightings: [Sighting]) -> [Sighting: String] {
        directory.update(sightings)
        return [:]
    }

    func device(_ identity: String, from sightings: [Sighting]) -> MediaOutputDevice? { nil }

    func deviceChanges() -> AsyncStream<DeviceChange> {
        directory.reset()
        let (stream, continuation) = AsyncStream.makeStream(of: DeviceChange.self)
        changes = continuation
        return stream
    }

    private func report(_ change: DescribedDevices<RendererDetails>.Change) {
        switch change {
        case .found(let details), .changed(let details):
            guard let device = details.device else { return }
            // One that changed between two searches is reported as found, too: the host may have lost it meanwhile.
            changes?.yield(.found(device))
            for continuation in waiting.removeValue(forKey: device.id) ?? [] { continuation.resume(returning: details) }
            if let player = player(of: device) { Task { await player.moved(to: details) } }
        case .lost(let details):
            if let device = details.device { changes?.yield(.lost(device)) }
        }
    }

    // MARK: Activation

    func open(
        _ device: MediaOutputDevice, secret: PlayerSecret, prompt: PlayerPrompt
    ) async throws(PlayerOpeningError) -> RendererPlayer {
        do throws(DeviceFailure) { return try await open(device) } catch { throw .failed(MediaDeviceError(error)) }
    }

    /// A renderer that starts anew gives all kinds of answers. So every failure is one of the connection, after which
    /// the kit tries again.
    func open(_ device: MediaOutputDevice, secret: PlayerSecret) async throws(PlayerOpeningError) -> RendererPlayer {
        do throws(DeviceFailure) {
            return try await open(device)
        } catch {
            let detail = MediaDeviceError(error).detail
            throw .failed(MediaDeviceError(.connectionFailed, detail: detail, reason: error.sentence))
        }
    }

    private func open(_ device: MediaOutputDevice) async throws(DeviceFailure) -> RendererPlayer {
        let player = RendererPlayer(try await details(of: device), network: network())
        try await player.activate()
        inUse[device.id] = InUse(player: player)
        return player
    }

    private func details(of device: MediaOutputDevice) async throws(DeviceFailure) -> RendererDetails {
        if let known = directory.description(of: device.id) { return known }
        guard let location = device.descriptionLocation else { throw .unreachable("its address is not known") }
        let failure: DeviceFailure
        do {
            if let found = try await directory.read(device.id, at: location) { return found }
            failure = .unreadable(.notRenderer)
        } catch {
            failure = error as? DeviceFailure ?? (error is MediaDeviceError ? .timedOut : .cancelled)
        }
        guard let moved = await search(device.id) else { throw failure }
        return moved
    }

    private func search(_ identifier: UUID) async -> RendererDetails? {
        let timer = Task {
            try await Task.sleep(for: Self.searchTime)
            for continuation in waiting.removeValue(forKey: identifier) ?? [] { continuation.resume(returning: nil) }
        }
        defer { timer.cancel() }
        return await withCheckedContinuation { waiting[identifier, default: []].append($0) }
    }
}
