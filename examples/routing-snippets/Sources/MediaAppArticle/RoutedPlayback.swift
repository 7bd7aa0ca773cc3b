import AVSystemRouting

/// The playback on the picked device, controlled in the article's spelling.
@MainActor
final class RoutedPlayback {
    private var route: AVSystemRoute?
    private var session: AVSystemRouteSession?
    private var mediaSession: AVSystemRouteMediaSession?
    private let dataHandler = DataHandler()

    nonisolated init() {}

    func start(on route: AVSystemRoute) async -> Bool {
        let session = AVSystemRouteSession(url: URL(string: "https://media.example.com/film.mp4")!, mode: .application)
        guard route.addSession(session) else { return false }
        do {
            let mediaSession = try await session.start()
            mediaSession.dataChannel?.dataDelegate = dataHandler
            try await mediaSession.dataChannel?.send(Data("hello".utf8))
            (self.route, self.session, self.mediaSession) = (route, session, mediaSession)
            return true
        } catch {
            route.removeSession(session)
            return false
        }
    }

    func stop() async -> Bool {
        guard let route, let session else { return false }
        session.stop()
        route.removeSession(session)
        (self.route, self.session, self.mediaSession) = (nil, nil, nil)
        return true
    }

    // MARK: Control

    /// The position is read and set; setting it seeks.
    func skipForward() {
        guard let playbackControl = mediaSession?.playbackControl else { return }
        playbackControl.currentPlaybackPosition =
            playbackControl.currentPlaybackPosition + CMTime(value: 10, timescale: 1)
    }

    func togglePlaying() {
        guard let playbackControl = mediaSession?.playbackControl else { return }
        playbackControl.isPlaying = !playbackControl.isPlaying
    }

    func status() -> String {
        guard let playbackControl = mediaSession?.playbackControl else { return "nothing plays" }
        if let error = playbackControl.playbackError { return error.localizedDescription }
        return "\(playbackControl.currentPlaybackPosition.seconds) of \(playbackControl.timeRange.duration.seconds) s"
    }
}
