/// An event that reports that a person picked or dropped a route for this app.
///
/// Source: AVSystemRouting, iOS 27 SDK.
public final class AVSystemRouteEvent: Sendable {
    /// The action that the person took.
    public enum Reason: Sendable, Equatable, Hashable {
        /// The person picked the route: start a session on it.
        case activate
        /// The person dropped the route: stop the sessions on it.
        case deactivate
    }

    /// The action that the person took.
    public let reason: Reason
    /// The route of the event. All events of one device have the same object.
    public let route: AVSystemRoute

    init(reason: Reason, route: AVSystemRoute) {
        self.reason = reason
        self.route = route
    }
}
