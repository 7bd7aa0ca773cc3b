/// A person picked or dropped a route for this app.
///
/// Source: AVSystemRouting, iOS 27 SDK.
public final class AVSystemRouteEvent: Sendable {
    /// What the person did.
    public enum Reason: Sendable, Equatable, Hashable {
        /// The person picked the route: start a session on it.
        case activate
        /// The person dropped the route: stop the sessions on it.
        case deactivate
    }

    /// What the person did.
    public let reason: Reason
    /// The route it is about; the same object for every event of one device.
    public let route: AVSystemRoute

    init(reason: Reason, route: AVSystemRoute) {
        self.reason = reason
        self.route = route
    }
}
