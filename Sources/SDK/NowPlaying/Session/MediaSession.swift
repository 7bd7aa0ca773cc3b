import HostInterface
public import Observation

/// A session that publishes an app's model of playback until the object is released.
///
/// The desktop shows the session as a player while it has content. A change of the model appears within a frame, and
/// several changes in one turn of the main actor appear together. Commands arrive in the model's closures. Releasing
/// the last reference removes the player. The session starts the daemon when there is something to show, and publishes
/// itself again when the daemon is replaced or exits.
///
/// One session of an app is its *application primary*; one of all sessions on the computer is the *system primary*,
/// which media keys and `mdhost now-playing` control. docs/now-playing.md has the rules.
///
/// Source: NowPlaying, iOS 27 SDK.
@MainActor
@Observable
public final class MediaSession<Representable: MediaSessionRepresentable>: Identifiable {
    /// The identifier that the model had when the session was created.
    public let id: String
    @ObservationIgnored private let publication: SessionPublication

    /// Creates a session and starts to publish it.
    ///
    /// - Parameter representable: The model. The session retains it.
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

    /// A Boolean value that indicates whether the session can represent its app; `true` while it has content.
    public var canBecomeApplicationPrimary: Bool { publication.roles.canBecomeApplicationPrimary }
    /// A Boolean value that indicates whether this session represents its app.
    public var isApplicationPrimary: Bool { publication.roles.isApplicationPrimary }
    /// A Boolean value that indicates whether media keys and `mdhost now-playing` control this session.
    public var isSystemPrimary: Bool { publication.roles.isSystemPrimary }

    /// Makes this session represent its app, in place of the current one.
    ///
    /// - Throws: ``MediaSessionError/invalidState`` if it has no content (try again when it has);
    ///   ``MediaSessionError/internalFailure`` if the daemon isn't reachable or fails.
    public func requestToBecomeApplicationPrimary() async throws {
        try await publication.request("RequestApplicationPrimary")
    }

    /// Requests that media keys and `mdhost now-playing` control this session, which then also represents its app.
    ///
    /// Has no effect, and throws no error, while the app is in the background (see docs/now-playing.md). Check
    /// ``isSystemPrimary`` afterwards.
    /// - Throws: The errors of ``requestToBecomeApplicationPrimary()``.
    public func requestToBecomeSystemPrimary() async throws {
        try await publication.request("RequestSystemPrimary")
    }
}
