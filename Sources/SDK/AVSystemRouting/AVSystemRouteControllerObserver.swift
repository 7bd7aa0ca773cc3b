/// An observer that responds when a person picks or drops a route for this app.
///
/// Implement one of the two methods. The asynchronous one is the SDK's; the one with a completion handler matches
/// Objective-C sources. The former isn't called on a particular actor; the latter is called on the main actor.
///
/// Source: AVSystemRouting, iOS 27 SDK.
public protocol AVSystemRouteControllerObserver: AnyObject {
    /// Starts or stops playback on the event's route.
    ///
    /// - Returns: `true` if playback has started or stopped as requested. The default implementation calls the method
    ///   with the completion handler, whose own default answers `false`.
    func systemRouteController(_ controller: AVSystemRouteController, handle event: AVSystemRouteEvent) async -> Bool

    /// Starts or stops playback on the event's route, and reports the result to a completion handler.
    ///
    /// Call the completion handler exactly once, on any thread.
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
