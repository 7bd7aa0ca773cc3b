import Foundation
import HostInterface

/// An app's media is sent to a device: what the app was told, and what the next daemon needs to take it up again.
package struct ApplicationRoute: Codable, Sendable, Hashable, Identifiable {
    /// Of this one route; the holder of the device's ``Route``.
    package let id: String
    /// Identifier of the app.
    package let application: String
    package let applicationName: String
    /// The device that is used: a part, where it is made of several.
    package let device: DeviceDescription
    /// Identifier and name of the device as people, and so the app, know it.
    package let entryID: String
    package let name: String
    /// `CFBundleIdentifier`.
    package let extensionIdentifier: String
    package let protocolIdentifier: String
    package let protocolName: String
    /// What the device was activated for.
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

/// Which app is routed to which device. A value without I/O that decides what is so; its owner opens devices and tells apps.
///
/// An app has one route at most. Each is begun once, by the newest pick of its app, and ended once, by whoever is first to
/// know: so an app is told of every activation, and of the end of each, exactly once.
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

    package init() {}

    package var all: [ApplicationRoute] { Array(held.values) }
    package var isEmpty: Bool { held.isEmpty && picks.isEmpty }

    /// The route of an app.
    package subscript(application: String) -> ApplicationRoute? { held[application] }

    /// The routes to a device, of apps other than `application`.
    package func others(to entryID: String, than application: String) -> [ApplicationRoute] {
        held.values.filter { $0.entryID == entryID && $0.application != application }
            .sorted { $0.application < $1.application }
    }

    /// The apps that are routed to the device, or about to be.
    package func applications(on entryID: String) -> [String] {
        Set(
            held.values.filter { $0.entryID == entryID }.map(\.application)
                + picks.values.filter { $0.entryID == entryID }.map(\.application)
        ).sorted()
    }

    // MARK: Picks

    /// A device was picked for the app; what was picked before and is not open yet is void.
    package mutating func pick(_ entryID: String, for application: String) -> Pick {
        lastPick += 1
        let pick = Pick(application: application, entryID: entryID, number: lastPick)
        picks[application] = pick
        return pick
    }

    /// Whether nothing else was picked for the app since, nor the pick taken back.
    package func isCurrent(_ pick: Pick) -> Bool { picks[pick.application] == pick }

    /// The pick is over, for whatever reason.
    package mutating func conclude(_ pick: Pick) {
        if isCurrent(pick) { picks[pick.application] = nil }
    }

    /// What was picked for the app is not wanted any more.
    ///
    /// - Returns: Whether something was being opened.
    @discardableResult
    package mutating func withdrawPick(of application: String) -> Bool {
        picks.removeValue(forKey: application) != nil
    }

    // MARK: Routes

    /// The app is about to be told of its route; the one before must have been ended.
    ///
    /// - Returns: `false` where the pick is void, or the app has another route.
    package mutating func begin(_ route: ApplicationRoute, by pick: Pick) -> Bool {
        guard isCurrent(pick), held[route.application] == nil else { return false }
        held[route.application] = route
        return true
    }

    /// An earlier daemon had it; the app is awaited.
    package mutating func adopt(_ route: ApplicationRoute) {
        held[route.application] = route
        awaited.insert(route.application)
    }

    /// The app is there again.
    ///
    /// - Parameter entryIDs: The devices that it holds to be routed to.
    /// - Returns: The route that ended because the app knows nothing of it: it is another run of it.
    package mutating func returned(_ application: String, holding entryIDs: [String]) -> ApplicationRoute? {
        guard awaited.remove(application) != nil, let route = held[application], !entryIDs.contains(route.entryID)
        else { return nil }
        held[application] = nil
        return route
    }

    /// The app did not come back in time.
    package mutating func giveUp(_ id: String) -> ApplicationRoute? {
        guard let route = held.values.first(where: { $0.id == id }), awaited.contains(route.application) else {
            return nil
        }
        return end(id)
    }

    /// Ends the route.
    ///
    /// - Returns: It, for the first who asks, and `nil` for everybody after.
    package mutating func end(_ id: String) -> ApplicationRoute? {
        guard let route = held.values.first(where: { $0.id == id }) else { return nil }
        held[route.application] = nil
        awaited.remove(route.application)
        return route
    }

    /// Ends the route of the app.
    package mutating func end(of application: String) -> ApplicationRoute? { held[application].flatMap { end($0.id) } }
}
