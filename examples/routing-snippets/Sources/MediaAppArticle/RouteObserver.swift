import AVSystemRouting

/// The article's observer, with the completion handler that its Objective-C form has.
final class RouteObserver: NSObject, AVSystemRouteControllerObserver {
    let playback = RoutedPlayback()

    func systemRouteController(
        _ controller: AVSystemRouteController, handle event: AVSystemRouteEvent,
        completionHandler: @escaping @Sendable (Bool) -> Void
    ) {
        let playback = playback
        Task {
            switch event.reason {
            case .activate: completionHandler(await playback.start(on: event.route))
            case .deactivate: completionHandler(await playback.stop())
            }
        }
    }
}
