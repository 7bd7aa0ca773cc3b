import Foundation
package import HostInterface

/// A route of an app's media to a device, with the data that the next daemon needs to restore it.
package struct ApplicationRoute: Codable, Sendable, Hashable, Identifiable {
    /// The identifier of this route, which is the holder of the device's ``Route``.
    package let id: String
    /// Identifier of the app.
    package let application: String
    package let applicationName: String
    /// The device in use; of a merged device, the part.
    package let device: DeviceDescription
    /// Identifier and name of the device as people, and so the app, know it.
    package let entryID: String
    package let name: String
    /// `CFBundleIdentifier`.
    package let extensionIdentifier: String
    package let protocolIdentifier: String
    package let protocolName: String
    /// The features for which the device was activated.
    package let features: DeviceDescription.Capabilities

    package init(
        id: String = "application:" + UUID().uuidString, application: String, applicationName: String,
        device: DeviceDescription, entryID: String, name: String, extensionIdentifier: String,
        protocolIdentifier: String, protocolName: String, features: DeviceDescription.Capabilities
    ) {
        self.id = id
        self.application = application
        self.applicationName = applicationName
        self.device = device
        self.entryID = entryID
        self.name = name
        self.extensionIdentifier = extensionIdentifier
        self.protocolIdentifier = protocolIdentifier
        self.protocolName = protocolName
        self.features = features
    }
}

/// The routes of apps to devices, as a value without I/O. Its owner activates devices and notifies apps.
///
/// An app has at most one route. Each starts once, by the newest request of its app, and ends once, so an app gets
/// exactly one event for each start and each end.
package struct ApplicationRoutes: Sendable {
    /// A person picked a device for an app, and it is being opened.
    package struct Pick: Sendable, Hashable {
        package let application: String
        /// The device as people know it.
        package let entryID: String
        fileprivate let number: Int
    }

    private var held: [String: ApplicationRoute] = [:]
    private var picks: [String: Pick] = [:]
    private var lastPick = 0
    /// Apps that an earlier daemon routed, and that have not come back yet.
    private var awaited: Set<String> = []
    /// Identifiers of the routes that their apps haven't answered yet.
    private var unanswered: Set<String> = []

    package init() {}

    /// The routes that their apps have accepted, by app.
    package var accepted: [String: ApplicationRoute] { held.filter { !unanswered.contains($0.value.id) } }

    package var all: [ApplicationRoute] { Array(held.values) }
    package var isEmpty: Bool { held.isEmpty && picks.isEmpty }

    /// The route of an app.
    package subscript(application: String) -> ApplicationRoute? { held[application] }

    /// Returns the routes to a device of apps other than `application`.
    package func others(to entryID: String, than application: String) -> [ApplicationRoute] {
        held.values.filter { $0.entryID == entryID && $0.application != application }
            .sorted { $0.application < $1.application }
    }

    /// Returns the apps that are routed to the device, or are about to be.
    package func applications(on entryID: String) -> [String] {
        Set(
            held.values.filter { $0.entryID == entryID }.map(\.application)
                + picks.values.filter { $0.entryID == entryID }.map(\.application)
        ).sorted()
    }

    // MARK: Picks

    /// Records a request for an app, in place of an earlier one whose device isn't active yet.
    package mutating func pick(_ entryID: String, for application: String) -> Pick {
        lastPick += 1
        let pick = Pick(application: application, entryID: entryID, number: lastPick)
        picks[application] = pick
        return pick
    }

    /// Returns a Boolean value that indicates whether a request is still the newest, and wasn't withdrawn.
    package func isCurrent(_ pick: Pick) -> Bool { picks[pick.application] == pick }

    /// Removes a request that has ended for any reason.
    package mutating func conclude(_ pick: Pick) {
        if isCurrent(pick) { picks[pick.application] = nil }
    }

    /// Withdraws the request of an app.
    ///
    /// - Returns: `true` if there was one.
    @discardableResult
    package mutating func withdrawPick(of application: String) -> Bool {
        picks.removeValue(forKey: application) != nil
    }

    // MARK: Routes

    /// Starts a route. The earlier one must have ended.
    ///
    /// - Returns: `false` if the request is no longer valid, or the app has another route.
    package mutating func begin(_ route: ApplicationRoute, by pick: Pick) -> Bool {
        guard isCurrent(pick), held[route.application] == nil else { return false }
        held[route.application] = route
        unanswered.insert(route.id)
        return true
    }

    /// Records that the app accepted its route.
    package mutating func accept(_ id: String) { unanswered.remove(id) }

    /// Adds a route of an earlier daemon, which waits for its app.
    package mutating func adopt(_ route: ApplicationRoute) {
        held[route.application] = route
        awaited.insert(route.application)
    }

    /// Records that the app has reconnected.
    ///
    /// - Parameter entryIDs: The devices that it holds to be routed to.
    /// - Returns: The route that ended because the app knows nothing of it: it is another run of it.
    package mutating func returned(_ application: String, holding entryIDs: [String]) -> ApplicationRoute? {
        guard awaited.remove(application) != nil, let route = held[application], !entryIDs.contains(route.entryID)
        else { return nil }
        held[application] = nil
        return route
    }

    /// Removes a route whose app didn't reconnect in time.
    package mutating func giveUp(_ id: String) -> ApplicationRoute? {
        guard let route = held.values.first(where: { $0.id == id }), awaited.contains(route.application) else {
            return nil
        }
        return end(id)
    }

    /// Ends the route.
    ///
    /// - Returns: The route for the first caller, and `nil` for later ones.
    package mutating func end(_ id: String) -> ApplicationRoute? {
        guard let route = held.values.first(where: { $0.id == id }) else { return nil }
        held[route.application] = nil
        awaited.remove(route.application)
        unanswered.remove(id)
        return route
    }

    /// Ends the route of the app.
    package mutating func end(of application: String) -> ApplicationRoute? { held[application].flatMap { end($0.id) } }
}
