/// Is told when a person picks or drops a route for this app.
///
/// Implement one of the two forms. The asynchronous one is the SDK's; the other is the form with a completion handler
/// that Objective-C sources have. The former is called on no particular actor, the latter on the main actor.
///
/// Source: AVSystemRouting, iOS 27 SDK.
public protocol AVSystemRouteControllerObserver: AnyObject {
    /// Connects or disconnects as the person wishes.
    ///
    /// - Returns: Whether it was done: playback really started, or really stopped. The default asks the form with the
    ///   completion handler, and without that answers `false`.
    func systemRouteController(_ controller: AVSystemRouteController, handle event: AVSystemRouteEvent) async -> Bool

    /// The same with a completion handler, which must be called exactly once, on any thread.
    func systemRouteController(
        _ controller: AVSystemRouteController, handle event: AVSystemRouteEvent,
        completionHandler: @escaping @Sendable (Bool) -> Void)
}

extension AVSystemRouteControllerObserver {
    public func systemRouteController(
        _ controller: AVSystemRouteController, handle event: AVSystemRouteEvent
    ) async -> Bool {
        // An observer whose conformance is isolated to the main actor cannot be called elsewhere without `await`. The
        // observer is only handed over, and not used here meanwhile.
        nonisolated(unsafe) let observer = self
        return await withCheckedContinuation { continuation in
            Task { @MainActor in
                observer.systemRouteController(controller, handle: event) { continuation.resume(returning: $0) }
            }
        }
    }

    public func systemRouteController(
        _ controller: AVSystemRouteController, handle event: AVSystemRouteEvent,
        completionHandler: @escaping @Sendable (Bool) -> Void
    ) {
        completionHandler(false)
    }
}
