import Foundation
import HostInterface
import Synchronization

/// What a session answers the daemon; on the main actor, as its model is.
@MainActor
protocol SessionTarget: AnyObject, Sendable {
    func perform(_ action: MediaAction) async throws
    func artwork(_ id: String) -> Artwork?
    func animatedArtwork(_ id: String) -> AnimatedArtwork?
    /// - Throws: ``HostError`` `no-such-device`.
    func device(_ id: String?) throws -> MediaDevice
    func setRoles(isApplicationPrimary: Bool, isSystemPrimary: Bool)
    var isApplicationPrimary: Bool { get }
}

/// Brings what sessions show to the daemon.
protocol SessionPublisher: Sendable {
    /// Returns when the daemon has it.
    ///
    /// - Parameter isUrgent: Whether to try at once although it just failed and is tried again by itself.
    func publish(_ state: MediaSessionState, of link: SessionLink, isUrgent: Bool) async throws(HostError)
    func request(_ member: String, of link: SessionLink) async throws(HostError)
    func withdraw(_ id: UUID) async
}

/// One session's end of the link, which outlives neither the session nor any connection.
final class SessionLink: Sendable {
    let id = UUID()
    private let publisher: any SessionPublisher
    private let target = Mutex<WeakTarget>(WeakTarget())

    private struct WeakTarget: Sendable {
        weak var value: (any SessionTarget)?
    }

    init(_ publisher: any SessionPublisher) { self.publisher = publisher }

    func setTarget(_ target: any SessionTarget) { self.target.withLock { $0.value = target } }

    /// `nil` when the session is gone.
    var currentTarget: (any SessionTarget)? { target.withLock { $0.value } }

    /// Returns when the daemon has it.
    func publish(_ state: MediaSessionState, isUrgent: Bool = false) async throws {
        try await publisher.publish(state, of: self, isUrgent: isUrgent)
    }

    func request(_ member: String) async throws { try await publisher.request(member, of: self) }

    func withdraw() {
        let id = id
        Task { [publisher] in await publisher.withdraw(id) }
    }
}
