package import HostInterface

/// An event of an app's route.
package struct ApplicationRouteEvent: Sendable, Hashable {
    package enum Reason: String, Sendable { case activate, deactivate }

    package let reason: Reason
    /// Identifier of the app.
    package let application: String
    /// Identifier of the device as the app knows it.
    package let device: String
    package let name: String
    /// The kind of device; see ``DeviceDescription/type``.
    package let type: String
    package let protocolIdentifier: String
    package let protocolName: String

    init(_ reason: Reason, _ route: ApplicationRoute) {
        self.reason = reason
        application = route.application
        device = route.entryID
        name = route.name
        type = route.device.type
        protocolIdentifier = route.protocolIdentifier
        protocolName = route.protocolName
    }

    /// Creates a request to end a route that only the app knows.
    init(endOf device: String, application: String) {
        reason = .deactivate
        self.application = application
        self.device = device
        name = ""
        type = ""
        protocolIdentifier = ""
        protocolName = ""
    }
}

/// An app's answer to an event, and the problems in it meanwhile.
package struct ApplicationAnswer: Sendable, Hashable {
    package let isHandled: Bool
    /// The first error of its sessions or of its data delegates while it handled the event, in a sentence.
    package let problem: String?

    package init(isHandled: Bool, problem: String? = nil) {
        self.isHandled = isHandled
        self.problem = problem
    }
}

/// The media apps that registered to be told of routes.
package protocol ApplicationPort: Sendable {
    /// Returns a Boolean value that indicates whether an app with this identifier is connected.
    func isConnected(_ application: String) -> Bool
    /// Returns the processes of the connected programs of an app; empty if they aren't known.
    func processIDs(of application: String) -> Set<Int32>
    /// Sends an event to its app.
    ///
    /// - Returns: Whether the app handled the event, and the problems in it meanwhile.
    /// - Throws: ``HostError`` of the app itself; `host-unavailable` if it went away, `timed-out` if it doesn't
    ///   answer.
    func tell(_ event: ApplicationRouteEvent) async throws(HostError) -> ApplicationAnswer
}
