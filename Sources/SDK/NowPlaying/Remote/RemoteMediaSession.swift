import Foundation
import HostInterface
import Observation

/// A session on devices elsewhere, as its app knows it.
///
/// The app says what plays with ``start(attributes:)`` and ``update(_:)``; its ``RemoteMediaSessionExtension`` makes of it what
/// is shown and does what people ask, also while the app does not run. The session lasts until ``end()`` or a push that ends
/// it, across restarts of the app, of the daemon and of the machine; letting go of this object changes nothing.
///
/// Source: NowPlaying, iOS 27 SDK.
@MainActor
@Observable
public final class RemoteMediaSession<Attributes: RemoteMediaSessionAttributes>: Identifiable {
    /// The attributes' identifier.
    public let id: String
    @ObservationIgnored private let place: RemoteSessionPlace

    private init(_ place: RemoteSessionPlace) {
        id = place.session
        self.place = place
        LivingSessions.add()
    }

    deinit { LivingSessions.remove() }

    /// Whether it is the one of all sessions that media keys and `mdhost now-playing` control.
    public var isSystemPrimary: Bool { place.isSystemPrimary }

    /// Shows a session; one with the same identifier that is there already takes over the attributes.
    ///
    /// - Returns: When the extension has made it.
    /// - Throws: ``RemoteMediaSessionError/invalidAttributes`` where the extension cannot use the attributes,
    ///   ``RemoteMediaSessionError/internalFailure`` where the daemon cannot be reached, the app has no extension for remote
    ///   sessions, or that one failed (`mdhost extension logs` tells why), or what encoding throws.
    public static func start(attributes: Attributes) async throws -> RemoteMediaSession<Attributes> {
        let data = try RemoteSessionCoding.encode(attributes)
        let id = attributes.id
        return RemoteMediaSession(
            try await RemoteSessionService.translating { service async throws(HostError) in
                try await service.start(id, data)
            })
    }

    /// Brings the session up to date.
    ///
    /// - Returns: When the extension has taken them.
    /// - Throws: ``RemoteMediaSessionError/invalidAttributes`` where they are those of another session or the extension cannot
    ///   use them, ``RemoteMediaSessionError/internalFailure`` where they could not be delivered, as when the session is over,
    ///   or what encoding throws.
    public func update(_ attributes: Attributes) async throws {
        guard attributes.id == id else { throw RemoteMediaSessionError.invalidAttributes }
        let data = try RemoteSessionCoding.encode(attributes)
        let id = id
        try await RemoteSessionService.translating { service async throws(HostError) in
            try await service.update(id, data)
        }
    }

    /// Takes the session away; nothing happens where it is over already.
    ///
    /// - Throws: ``RemoteMediaSessionError/internalFailure``.
    public func end() async throws {
        let id = id
        try await RemoteSessionService.translating { service async throws(HostError) in try await service.end(id) }
    }

    /// Asks for the first place among all sessions.
    ///
    /// Has no effect, and throws nothing, while the app is in the background, or the session has nothing to show.
    /// - Throws: ``RemoteMediaSessionError/internalFailure``.
    public func requestToBecomeSystemPrimary() async throws {
        let id = id
        try await RemoteSessionService.translating { service async throws(HostError) in
            try await service.requestSystemPrimary(id)
        }
    }

    /// All sessions of this app that there are, by identifier: how an app finds them again after its own restart.
    ///
    /// - Throws: ``RemoteMediaSessionError/internalFailure``.
    public static func sessions() async throws -> [RemoteMediaSession<Attributes>] {
        try await RemoteSessionService.translating { service async throws(HostError) in
            try await service.sessions()
        }.map { RemoteMediaSession($0) }
    }

    /// To whom a server sends the start of a session; `nil` until the daemon has told. May be replaced. The same for all
    /// attributes of an app.
    public static var pushToStartToken: Data? {
        RemoteSessionService.followStartToken()
        return RemoteSessionService.startToken.token
    }

    /// The token that there is, then each that replaces it.
    public static var pushToStartTokenUpdates: AsyncStream<Data> {
        RemoteSessionService.followStartToken()
        return RemoteSessionService.startToken.updates()
    }
}

/// Where one session is on the bus, and what role it has there.
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
