import HostInterface
import LinkProtocol

extension MediaHost {
    /// Adds a device to the group of `other`: activates it in the same session, and pairs if necessary.
    ///
    /// Returns at once if both are already in a group. The group lasts as long as its use.
    ///
    /// - Throws: ``HostError``: those of ``activate(_:holder:prompt:)``; `cannot-group` if they don't match,
    ///   `device-in-use` if the device is in use, `no-such-session` if the other one isn't in use, `not-supported` for
    ///   an application.
    package func join(_ id: String, _ other: String, prompt: PairingPrompt?) async throws {
        for part in try parts(of: id) + parts(of: other) { await closed(part.id) }
        let used = try parts(of: other).first { groups.isGrouped($0.id) || routes[$0.id]?.isNeeded == true }
        if let used { try await awaitRecovery(of: groups.leader(of: used.id)) }
        let whole = try shownDevice(other).description.name
        // Another one may lead by now, or it may be over.
        guard let used, let leader = registry[groups.leader(of: used.id)], routes[leader.id]?.isNeeded == true else {
            throw HostError(.noSuchSession, "\(whole) is not in use: there is nothing for others to join.")
        }
        let members = groups.members(of: leader.id)
        let parts = try parts(of: id)
        if identities.entry(of: id) != identities.entry(of: other),
            members.count > 1, parts.contains(where: { members.contains($0.id) })
        {
            return
        }
        let application = routes[leader.id]?.currentSession.flatMap { sessions[$0]?.application }
        let device = try companion(of: leader, among: parts, application: application)
        try checkUnused(device)
        try await enter(device, following: leader.id, prompt: prompt)
    }

    /// Removes a device from its group. The others continue to play, even if it was the leader.
    ///
    /// - Throws: ``HostError`` `no-such-device`, or `invalid-argument` without a group.
    package func leave(_ id: String) async throws {
        guard let part = try parts(of: id).first(where: { groups.isGrouped($0.id) }) else {
            let name = try shownDevice(id).description.name
            throw HostError(.invalidArgument, "\(name) isn't in a group.")
        }
        if !groups.isFollower(part.id) { try await awaitRecovery(of: part.id) }
        await takeOut(part.id)
    }

    // MARK: Leaders

    /// Releases a device. If it was the leader, another device takes over, because a person who turns off one room
    /// doesn't mean the others.
    func takeOut(_ id: String) async {
        if let heir = heir(of: id) { promote(heir) }
        await closeRoute(id)
    }

    /// Returns the device that takes over from a leader; `nil` if none can.
    func heir(of id: String) -> String? {
        let usable = groups.followers(of: id).filter {
            routes[$0] != nil && recoveries[$0] == nil && activations[$0] == nil
        }
        return usable.first { registry[$0]?.availability == .ready } ?? usable.first
    }

    /// Makes a follower the leader, with the holders, session and file.
    func promote(_ id: String) {
        let former = groups.leader(of: id)
        guard former != id, let route = routes[former], routes[id] != nil else { return }
        groups.promote(id)
        routes[id]?.holders = route.holders
        routes[id]?.currentSession = route.currentSession
        routes[id]?.servedFile = route.servedFile
        routes[id]?.delivery = route.delivery
        routes[former]?.holders = []
        routes[former]?.currentSession = nil
        routes[former]?.servedFile = nil
        routes[former]?.delivery = nil
        if let current = route.currentSession { sessions[current]?.deviceID = id }
        passOnWishes(from: former, to: id)
        groupChanged(id)
        // The session that held the former route may have ended at the same moment, and checked only its new route.
        Task { await closeUnneededRoute(id) }
    }

    /// Removes a member that failed from the playback of its group. The others continue, and it rejoins once it can.
    func memberFailed(_ id: String, _ error: HostError) {
        if !groups.isFollower(id) {
            guard let heir = heir(of: id) else { return beginClosing(id, .ended(error)) }
            promote(heir)
        }
        publish(registry.update(id) { $0.lastError = error })
        guard let route = routes[id], closings[id] == nil else { return }
        guard activations[id] == nil, Self.passes(error) else { return beginClosing(id, .failed(error)) }
        takeUp(route, cause: error, isLost: true)
    }

    /// Returns a Boolean value that indicates whether the device can become usable without any action.
    private static func passes(_ error: HostError) -> Bool {
        switch error.code {
        case .unreachable, .timedOut, .deviceInUse, .extensionCrashed: true
        default: false
        }
    }

    // MARK: Telling

    /// Shows and stores the group of the device.
    func groupChanged(_ id: String) {
        let leader = groups.leader(of: id)
        let members = groups.members(of: leader).filter { $0 == leader || activations[$0] == nil }
        let group = members.count > 1 ? members : []
        for member in members { publish(registry.update(member) { $0.group = group }) }
        showGroupLevel(leader)
        guard let current = routes[leader]?.currentSession, var session = sessions[current] else { return }
        session.members = members
        if sessions[current] != session {
            sessions[current] = session
            publish(session)
        }
        keepMembers(of: current)
    }

    private func keepMembers(of session: String) {
        guard let members = sessions[session]?.members, let record = adoptable[session],
            let device = members.first.flatMap({ registry[$0]?.description })
        else { return }
        let others = members.dropFirst().compactMap { registry[$0]?.description }
        guard record.device.id != device.id || (record.others ?? []).map(\.id) != others.map(\.id) else { return }
        changeRecord(session) { record in
            record.device = device
            record.others = others.isEmpty ? nil : others
        }
    }

    /// Removes a device from its group after its route ended.
    func leaveGroup(_ id: String, _ route: Route) {
        guard groups.isGrouped(id) else { return groupLevels[route.linkSession] = nil }
        let leader = groups.leader(of: id)
        groups.remove(id)
        groupLevels[route.linkSession]?.remove(id)
        publish(
            registry.update(id) {
                $0.group = []
                $0.groupLevel = nil
            })
        if leader != id { groupChanged(leader) }
    }
}
