import NowPlaying

/// This program, as an app.
///
/// Source: UIKit, iOS 27 SDK.
@MainActor
public final class UIApplication {
    /// Whether a person uses the app.
    public enum State: Int, Sendable {
        /// It has a session.
        case active = 0
        /// It has none.
        case inactive = 1
        /// Never: a program without a window isn't known to be in the background.
        case background = 2
    }

    /// The program's object.
    public static let shared = UIApplication()

    private init() {}

    /// Active while the program holds a `MediaSession` or a `RemoteMediaSession`. Whether a request for the first place has an
    /// effect is decided by the daemon all the same (docs/now-playing.md).
    public var applicationState: State { LivingSessions.count > 0 ? .active : .inactive }
}
