public import Foundation
import HostInterface
public import Observation

/// A session that plays on other devices, from the app's side.
///
/// The app describes playback with ``start(attributes:)`` and ``update(_:)``. Its ``RemoteMediaSessionExtension`` shows
/// the session and performs commands, even while the app isn't running. The session lasts until ``end()`` or until a
/// push ends it, across restarts of the app, the daemon and the computer. Releasing this object doesn't end it.
///
/// Source: NowPlaying, iOS 27 SDK.
@MainActor
@Observable
public final class RemoteMediaSession<Attributes: RemoteMediaSessionAttributes>: Identifiable {
    /// The identifier of the session's attributes.
    public let id: String
    @ObservationIgnored private let place: RemoteSessionPlace

    private init(_ place: RemoteSessionPlace) {
        id = place.session
        self.place = place
        LivingSessions.add()
    }

    deinit { LivingSessions.remove() }

    /// A Boolean value that indicates whether media keys and `mdhost now-playing` control this session.
    public var isSystemPrimary: Bool { place.isSystemPrimary }

    /// Starts a session, or updates the session with the same identifier, and returns when the extension has it.
    ///
    /// - Throws: ``RemoteMediaSessionError/invalidAttributes`` if the extension can't use the attributes;
    ///   ``RemoteMediaSessionError/internalFailure`` if the daemon isn't reachable, the app has no extension for remote
    ///   sessions, or the extension failed (`mdhost extension logs` shows why); or the encoder's error.
    public static func start(attributes: Attributes) async throws -> RemoteMediaSession<Attributes> {
        let data = try RemoteSessionCoding.encode(attributes)
        let id = attributes.id
        return RemoteMediaSession(
            try await RemoteSessionService.translating { service async throws(HostError) in
                try await service.start(id, data)
            })
    }

    /// Updates the attributes of the session, and returns when the extension has them.
    ///
    /// - Throws: ``RemoteMediaSessionError/invalidAttributes`` if the attributes belong to another session or the
    ///   extension can't use them; ``RemoteMediaSessionError/internalFailure`` if they couldn't be delivered, for
    ///   example because the session has ended; or the encoder's error.
    public func update(_ attributes: Attributes) async throws {
        guard attributes.id == id else { throw RemoteMediaSessionError.invalidAttributes }
        let data = try RemoteSessionCoding.encode(attributes)
        let id = id
        try await RemoteSessionService.translating { service async throws(HostError) in
            try await service.update(id, data)
        }
    }

    /// Ends the session; no effect if it has already ended.
    ///
    /// - Throws: ``RemoteMediaSessionError/internalFailure`` if the daemon isn't reachable or fails; try again later.
    public func end() async throws {
        let id = id
        try await RemoteSessionService.translating { service async throws(HostError) in try await service.end(id) }
    }

    /// Requests that media keys and `mdhost now-playing` control this session.
    ///
    /// Has no effect, and throws no error, while the app is in the background or the session has nothing to show. Check
    /// ``isSystemPrimary`` afterwards.
    /// - Throws: ``RemoteMediaSessionError/internalFailure`` if the daemon isn't reachable or fails.
    public func requestToBecomeSystemPrimary() async throws {
        let id = id
        try await RemoteSessionService.translating { service async throws(HostError) in
            try await service.requestSystemPrimary(id)
        }
    }

    /// Returns all sessions of this app. Use it to find them again after the app restarts.
    ///
    /// - Throws: ``RemoteMediaSessionError/internalFailure`` if the daemon isn't reachable or fails.
    public static func sessions() async throws -> [RemoteMediaSession<Attributes>] {
        try await RemoteSessionService.translating { service async throws(HostError) in
            try await service.sessions()
        }.map { RemoteMediaSession($0) }
    }

    /// The token with which a server starts a session; `nil` until the daemon provides it. The token can change. All
    /// attribute types of an app share it.
    public static var pushToStartToken: Data? {
        RemoteSessionService.followStartToken()
        return RemoteSessionService.startToken.token
    }

    /// A stream of the current push-to-start token and each later one.
    public static var pushToStartTokenUpdates: AsyncStream<Data> {
        RemoteSessionService.followStartToken()
        return RemoteSessionService.startToken.updates()
    }
}

/// The D-Bus path of a session and its role.
@MainActor
@Observable
final class RemoteSessionPlace {
    nonisolated let session: String
    nonisolated let path: String
    private(set) var isSystemPrimary = false

    init(session: String, path: String) {
        self.session = session
        self.path = path
    }

    func setSystemPrimary(_ value: Bool) { if isSystemPrimary != value { isSystemPrimary = value } }
}
