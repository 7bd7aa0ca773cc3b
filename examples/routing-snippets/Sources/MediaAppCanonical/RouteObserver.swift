import AVSystemRouting

/// Starts and stops this app's playback on the device a person picks.
@MainActor
final class RouteObserver: AVSystemRouteControllerObserver {
    private let url: URL
    private var session: AVSystemRouteSession?
    private(set) var player: RemotePlayer?
    private let dataHandler = DataHandler()

    init(playing url: URL) { self.url = url }

    nonisolated func systemRouteController(
        _ controller: AVSystemRouteController, handle event: AVSystemRouteEvent
    ) async -> Bool {
        switch event.reason {
        case .activate: await activate(event.route)
        case .deactivate: await deactivate(event.route)
        }
    }

    /// - Returns: Whether playback really started.
    private func activate(_ route: AVSystemRoute) async -> Bool {
        print("Connecting to \(route.routeDisplayName) (\(route.protocolType.identifier), \(route.routeSymbolName))")
        route.routeDataChannel.dataDelegate = dataHandler
        let session = AVSystemRouteSession(url: url, mode: .player)
        guard route.addSession(session) else { return false }
        do {
            let mediaSession = try await session.start()
            self.session = session
            if let control = mediaSession.playbackControl { player = RemotePlayer(control) }
            // Only an application on the device has a channel of its own.
            mediaSession.dataChannel?.dataDelegate = dataHandler
            return true
        } catch let error as AVSystemRoutingError {
            print("\(error.localizedDescription) \(error.recoverySuggestion ?? "")")
        } catch {
            print(error)
        }
        route.removeSession(session)
        return false
    }

    private func deactivate(_ route: AVSystemRoute) async -> Bool {
        guard let session else { return false }
        session.stop()
        route.removeSession(session)
        self.session = nil
        player = nil
        return true
    }
}
