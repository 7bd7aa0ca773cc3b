import Foundation
import HostInterface
import Synchronization

/// The operations of a session that the daemon calls, on the main actor like its model.
@MainActor
protocol SessionTarget: AnyObject, Sendable {
    func perform(_ action: MediaAction) async throws
    func artwork(_ id: String) -> Artwork?
    func animatedArtwork(_ id: String) -> AnimatedArtwork?
    /// Returns a device of a remote session.
    ///
    /// - Throws: ``HostError`` `no-such-device`
    func device(_ id: String?) throws -> MediaDevice
    func setRoles(isApplicationPrimary: Bool, isSystemPrimary: Bool)
    var isApplicationPrimary: Bool { get }
}

/// An object that publishes the state of sessions to the daemon.
protocol SessionPublisher: Sendable {
    /// Publishes a state, and returns when the daemon has it.
    ///
    /// - Parameter isUrgent: `true` to try at once, even if the last attempt failed and the next one is scheduled.
    func publish(_ state: MediaSessionState, of link: SessionLink, isUrgent: Bool) async throws(HostError)
    func request(_ member: String, of link: SessionLink) async throws(HostError)
    func withdraw(_ id: UUID) async
}

/// The connection between a session and its publisher. It retains neither the session nor a D-Bus connection.
final class SessionLink: Sendable {
    let id = UUID()
    private let publisher: any SessionPublisher
    private let target = Mutex<WeakTarget>(WeakTarget())

    private struct WeakTarget: Sendable {
        weak var value: (any SessionTarget)?
    }

    init(_ publisher: any SessionPublisher) { self.publisher = publisher }

    func setTarget(_ target: any SessionTarget) { self.target.withLock { $0.value = target } }

    /// The session; `nil` after it was released.
    var currentTarget: (any SessionTarget)? { target.withLock { $0.value } }

    /// Publishes a state, and returns when the daemon has it.
    func publish(_ state: MediaSessionState, isUrgent: Bool = false) async throws {
        try await publisher.publish(state, of: self, isUrgent: isUrgent)
    }

    func request(_ member: String) async throws { try await publisher.request(member, of: self) }

    func withdraw() {
        let id = id
        Task { [publisher] in await publisher.withdraw(id) }
    }
}
