import NowPlaying
import Observation

/// Holds an app's sessions: they are shown for as long as it does.
@MainActor
@Observable
public final class NowPlayingController {
    private var session: MediaSession<PlayerModel>?
    private var preview: MediaSession<PlayerModel>?
    public private(set) var message = ""

    public init() {}

    public func begin(_ model: PlayerModel) async {
        let session = MediaSession(model)
        self.session = session
        do {
            try await session.requestToBecomeApplicationPrimary()
        } catch MediaSessionError.invalidState {
            message = "There is nothing to show."
        } catch {
            message = "The system did not take it: \(error)"
        }
    }

    /// A second session, which speaks for the app from now on.
    public func showPreview(_ model: PlayerModel) async throws {
        let preview = MediaSession(model)
        self.preview = preview
        guard preview.canBecomeApplicationPrimary else { return }
        try await preview.requestToBecomeApplicationPrimary()
    }

    /// To the first place, which the system may refuse.
    public func bringToFront() async throws {
        guard let session, !session.isSystemPrimary else { return }
        try await session.requestToBecomeSystemPrimary()
        message = session.isSystemPrimary ? "In front." : "Not in front."
    }

    public var speaks: Bool { session?.isApplicationPrimary ?? false }

    public func end() {
        preview = nil
        session = nil
    }
}
