import HostInterface

/// The reason a route is opened.
enum RoutePurpose: Sendable {
    /// A person plays there, or holds the device.
    case person
    /// The app of that identifier plays there, or was routed there.
    case application(String)
    /// Something that takes a moment: a pairing, a level.
    case passing
}

/// An extension without `supportsSimultaneousSessions` has one session at a time, for all devices and owners.
extension MediaHost {
    /// Ends the extension's other sessions if it supports only one at a time.
    ///
    /// - Returns: Whether a session was ended.
    /// - Throws: ``HostError`` `device-in-use` if a session must stay: one of another app, as on one device
    ///   (``SessionTakeover``), or any session if the device is needed only in passing.
    func makeRoom(for device: HostDevice, _ purpose: RoutePurpose) async throws -> Bool {
        let others = routesInTheWay(of: device)
        guard !others.isEmpty else { return false }
        for other in others { try checkMakesRoom(other, for: device, purpose) }
        for other in others { await giveWay(other, to: device) }
        return true
    }

    private func routesInTheWay(of device: HostDevice) -> [Route] {
        guard statuses[device.extensionIdentifier]?.supportsSimultaneousSessions == false else { return [] }
        return routes.values.filter { route in
            route.extensionIdentifier == device.extensionIdentifier && route.deviceID != device.id
                && !groups.isFollower(route.deviceID)
        }
    }

    private func checkMakesRoom(_ route: Route, for device: HostDevice, _ purpose: RoutePurpose) throws(HostError) {
        let place = spokenName(route.deviceID)
        let current = route.currentSession.flatMap { sessions[$0] }
        let owner: String
        switch purpose {
        case .person: return
        case .application(let identifier): owner = identifier
        case .passing:
            throw HostError(.deviceInUse, "\(place) is in use, and \(oneAtATime(device)).")
        }
        guard let current else { return }
        do {
            try SessionTakeover.check(current, by: owner, of: ownerName(current), on: place)
        } catch {
            throw HostError(error.code, "\(ownerName(current)) plays on \(place), and \(oneAtATime(device)).")
        }
    }

    private func giveWay(_ route: Route, to device: HostDevice) async {
        let reason = HostError(
            .cancelled, "\(spokenName(device.id)) took its place: \(oneAtATime(device)).")
        if let current = route.currentSession { await stopPlayback(current, reason: reason) }
        for held in applicationRoutes.all where route.holders.contains(held.id) { await endRoute(held) }
        await closeRoute(route.deviceID)
    }

    private func oneAtATime(_ device: HostDevice) -> String {
        "\(statuses[device.extensionIdentifier]?.name ?? device.protocolName) uses one device at a time"
    }

    // MARK: Owners and occupants

    /// Returns the name for people of the session's owner.
    func ownerName(_ session: HostSession) -> String {
        guard let owner = session.owner else { return "Another playback" }
        return applicationRoutes[owner]?.applicationName ?? owner
    }

    /// Notes on the devices of a session whether its app keeps other apps out.
    func noteOccupant(_ session: HostSession) {
        let occupant = session.keepsOthersOut ? session.owner : nil
        for id in session.members {
            let known = registry[id]?.occupant
            // An ended session doesn't speak for its successor.
            if occupant == nil, routes[id]?.currentSession != session.id, routes[id]?.currentSession != nil { continue }
            guard known?.identifier != occupant else { continue }
            publish(
                registry.update(id) {
                    $0.occupant = occupant.map { .init(identifier: $0, name: ownerName(session)) }
                })
        }
    }
}
