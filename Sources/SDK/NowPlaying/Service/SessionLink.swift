import Foundation
import HostInterface
import Synchronization

/// What a session answers the daemon; on the main actor, as its model is.
@MainActor
protocol SessionTarget: AnyObject, Sendable {
    func perform(_ action: MediaAction) async throws
    func artwork(_ id: String) -> Artwork?
    func animatedArtwork(_ id: String) -> AnimatedArtwork?
    func setRoles(isApplicationPrimary: Bool, isSystemPrimary: Bool)
}

/// One session's end of the link, which outlives neither the session nor any connection.
final class SessionLink: Sendable {
    let id = UUID()
    private let service: NowPlayingService
    private let target = Mutex<WeakTarget>(WeakTarget())

    private struct WeakTarget: Sendable {
        weak var value: (any SessionTarget)?
    }

    init(_ service: NowPlayingService) { self.service = service }

    func setTarget(_ target: any SessionTarget) { self.target.withLock { $0.value = target } }

    /// `nil` when the session is gone.
    var currentTarget: (any SessionTarget)? { target.withLock { $0.value } }

    /// Returns when the daemon has it.
    func publish(_ state: MediaSessionState, isUrgent: Bool = false) async throws {
        try await service.publish(state, of: self, isUrgent: isUrgent)
    }

    func request(_ member: String) async throws { try await service.request(member, of: self) }

    func withdraw() {
        let id = id
        Task { [service] in await service.withdraw(id) }
    }
}
