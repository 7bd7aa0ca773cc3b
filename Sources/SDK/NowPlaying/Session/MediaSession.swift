import HostInterface
import Observation

/// Publishes an app's model of what it plays, for as long as somebody holds this object.
///
/// The session is a player of the desktop while it has content: a change of the model is shown within a frame, several
/// changes in one turn of the main actor at once. Commands arrive at the model's closures. The last reference gone, so is
/// the player. The daemon is started when there is something to show; when it is replaced or dies, the session is
/// published again by itself.
///
/// Of several sessions of one app one is its *application primary*, and of all of them on the machine one is the *system
/// primary*, the one that `mdhost now-playing` and media keys control; docs/now-playing.md has the rules.
///
/// Source: NowPlaying, iOS 27 SDK.
@MainActor
@Observable
public final class MediaSession<Representable: MediaSessionRepresentable>: Identifiable {
    /// The model's identifier when the session was made.
    public let id: String
    @ObservationIgnored private let publication: SessionPublication

    /// Begins to publish.
    ///
    /// - Parameter representable: Held for as long as the session.
    public convenience init(_ representable: Representable) {
        self.init(representable, service: .shared)
    }

    init(_ representable: Representable, service: NowPlayingService, clock: any Clock<Duration> = ContinuousClock()) {
        id = representable.id
        publication = SessionPublication(clock: clock, link: SessionLink(service)) {
            SessionReading(
                content: representable.content, snapshot: representable.playbackSnapshot,
                commands: representable.commands)
        }
        publication.begin()
        LivingSessions.add()
    }

    deinit {
        LivingSessions.remove()
        publication.link.withdraw()
    }

    /// Whether the session can speak for its app: it can while it has content.
    public var canBecomeApplicationPrimary: Bool { publication.roles.canBecomeApplicationPrimary }
    /// Whether it is the one of this app's sessions that speaks for it.
    public var isApplicationPrimary: Bool { publication.roles.isApplicationPrimary }
    /// Whether it is the one of all sessions that media keys and `mdhost now-playing` control.
    public var isSystemPrimary: Bool { publication.roles.isSystemPrimary }

    /// Makes the session speak for its app, in place of the one that does.
    ///
    /// - Throws: ``MediaSessionError/invalidState`` where it has no content, ``MediaSessionError/internalFailure`` where
    ///   the daemon cannot be reached or fails.
    public func requestToBecomeApplicationPrimary() async throws {
        try await publication.request("RequestApplicationPrimary")
    }

    /// Asks for the first place among all sessions, which includes that of the app.
    ///
    /// Has no effect, and throws nothing, while the app is in the background (docs/now-playing.md tells what that is). So
    /// look at ``isSystemPrimary`` afterwards.
    /// - Throws: As ``requestToBecomeApplicationPrimary()``.
    public func requestToBecomeSystemPrimary() async throws {
        try await publication.request("RequestSystemPrimary")
    }
}
