import NowPlaying

/// This program as an app.
///
/// Source: UIKit, iOS 27 SDK.
@MainActor
public final class UIApplication {
    /// The state of an app.
    public enum State: Int, Sendable {
        /// The app has a session.
        case active = 0
        /// The app has no session.
        case inactive = 1
        /// The app is in the background. Never used on Linux, where it is unknown for a program without a window.
        case background = 2
    }

    /// The object of this program.
    public static let shared = UIApplication()

    private init() {}

    /// The state of the app: active while it has a `MediaSession` or a `RemoteMediaSession`.
    ///
    /// The daemon decides by itself whether a request to become system primary takes effect (docs/now-playing.md).
    public var applicationState: State { LivingSessions.count > 0 ? .active : .inactive }
}
