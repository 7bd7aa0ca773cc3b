import Foundation
import HostInterface
import Observation

/// The publication of one model: it observes the model and sends its state to the daemon.
///
/// A change is sent at once; the next waits for a frame to pass and for the daemon to have the first. The rate is
/// bounded however fast the model changes, and the last state sent is always the model's.
@MainActor
final class SessionPublication {
    /// The time after a publication in which changes are collected.
    static let frame = Duration.microseconds(16_667)

    let roles = SessionRoles()
    nonisolated let link: SessionLink
    private let read: @MainActor () -> SessionReading
    private let clock: any Clock<Duration>
    private var reading: SessionReading?
    private var published: MediaSessionState?
    private var lastSnapshot: (snapshot: MediaPlaybackSnapshot, playback: MediaPlayback)?
    private var isPublishing = false
    private var isDirty = false
    /// The callers that wait until all changes are published.
    private var settled: [CheckedContinuation<Void, Never>] = []

    init(clock: any Clock<Duration>, link: SessionLink, read: @escaping @MainActor () -> SessionReading) {
        self.clock = clock
        self.link = link
        self.read = read
    }

    func begin() {
        link.setTarget(self)
        changed()
    }

    /// Sends a request after the daemon has the current state of the model.
    ///
    /// - Parameter member: The D-Bus method to call.
    func request(_ member: String) async throws {
        if isDirty || isPublishing { await withCheckedContinuation { settled.append($0) } }
        guard roles.canBecomeApplicationPrimary else { throw MediaSessionError.invalidState }
        do {
            // A new request retries even if the daemon couldn't be reached before.
            if let published { try await link.publish(published, isUrgent: true) }
            try await link.request(member)
        } catch let error as HostError {
            throw error.code == .notSupported ? MediaSessionError.invalidState : .internalFailure
        }
    }

    private func changed() {
        isDirty = true
        guard !isPublishing else { return }
        isPublishing = true
        Task { [weak self] in await self?.publishWhileDirty() }
    }

    private func publishWhileDirty() async {
        while isDirty {
            isDirty = false
            let state = readTracked()
            if published?.foretells(state) == true { continue }
            published = state
            // The daemon went away, or cannot be started: the link publishes again when one is there.
            try? await link.publish(state)
            try? await clock.sleep(for: Self.frame)
        }
        isPublishing = false
        for continuation in settled { continuation.resume() }
        settled = []
    }

    private func readTracked() -> MediaSessionState {
        let reading = withObservationTracking {
            read()
        } onChange: { [weak self] in
            // Runs before the value is written; the next turn sees the whole turn's writes.
            Task { @MainActor in self?.changed() }
        }
        self.reading = reading
        let state = reading.state(after: lastSnapshot, now: (MonotonicTime.now, Date()))
        lastSnapshot = reading.snapshot.flatMap { snapshot in state.playback.map { (snapshot, $0) } }
        roles.canBecomeApplicationPrimary = state.content != nil
        return state
    }
}

/// The roles of a session among others, as last reported by the daemon.
@MainActor
@Observable
final class SessionRoles {
    var canBecomeApplicationPrimary = false
    var isApplicationPrimary = false
    var isSystemPrimary = false
}

// MARK: Requests of the daemon

extension SessionPublication: SessionTarget {
    func perform(_ action: MediaAction) async throws {
        // Read the current model: the commands may have changed a moment ago.
        guard let command = read().commands.first(where: { $0.control.kind == action.kind }) else {
            throw HostError(.notSupported, "The app no longer offers \(action.kind.rawValue).")
        }
        try await command.perform(action)
    }

    func artwork(_ id: String) -> Artwork? {
        guard let artwork = reading?.content?.artwork, artwork.id == id else { return nil }
        return artwork
    }

    func animatedArtwork(_ id: String) -> AnimatedArtwork? {
        guard let artwork = reading?.content?.animatedArtwork, artwork.id == id else { return nil }
        return artwork
    }

    func device(_ id: String?) throws -> MediaDevice {
        // Read the current model, as for commands.
        guard let device = read().devices?.first(where: { $0.id == id }) else {
            throw HostError(.noSuchDevice, "The session no longer plays on “\(id ?? "")”.")
        }
        return device
    }

    var isApplicationPrimary: Bool { roles.isApplicationPrimary }

    func setRoles(isApplicationPrimary: Bool, isSystemPrimary: Bool) {
        // Assign only changed values, so that observers of the other value aren't notified.
        if roles.isApplicationPrimary != isApplicationPrimary { roles.isApplicationPrimary = isApplicationPrimary }
        if roles.isSystemPrimary != isSystemPrimary { roles.isSystemPrimary = isSystemPrimary }
    }
}
