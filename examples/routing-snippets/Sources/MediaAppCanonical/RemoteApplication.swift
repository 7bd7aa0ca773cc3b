import AVSystemRouting

/// The app's counterpart on the device, and the channel to it.
@MainActor
final class RemoteApplication {
    private let route: AVSystemRoute
    private let session = AVSystemRouteSession(url: URL(string: "mediaapp://open/home")!, mode: .application)
    private let dataHandler = DataHandler()
    private var mediaSession: AVSystemRouteMediaSession?

    init(on route: AVSystemRoute) { self.route = route }

    func launch() async throws {
        // A message for the extension itself needs no session.
        try await route.routeDataChannel.send(Data("version?".utf8))
        guard route.addSession(session) else { throw AVSystemRoutingError(.connectionFailed) }
        do {
            let mediaSession = try await session.start()
            mediaSession.dataChannel?.dataDelegate = dataHandler
            try await mediaSession.dataChannel?.send(Data("hello".utf8))
            self.mediaSession = mediaSession
        } catch {
            route.removeSession(session)
            throw error
        }
    }

    func close() {
        session.stop()
        route.removeSession(session)
        mediaSession = nil
    }
}
