import AVSystemRouting

/// Hears of routes, as the article shows it.
final class RouteObserver: AVSystemRouteControllerObserver {
    private let playback: RoutedPlayback
    private let declines: Bool

    init(_ playback: RoutedPlayback, declines: Bool) {
        self.playback = playback
        self.declines = declines
    }

    func systemRouteController(
        _ controller: AVSystemRouteController, handle event: AVSystemRouteEvent
    ) async -> Bool {
        let route = event.route
        switch event.reason {
        case .activate:
            Journal.write(
                "activate \(route.routeDisplayName), \(route.protocolType.identifier), \(route.routeSymbolName)")
            guard !declines else { return false }
            return await playback.activated(route)
        case .deactivate:
            Journal.write("deactivate \(route.routeDisplayName)")
            await playback.deactivated(route)
            return true
        @unknown default:
            return false
        }
    }
}
