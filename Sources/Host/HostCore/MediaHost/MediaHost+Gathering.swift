package import HostInterface

extension MediaHost {
    // MARK: Which part

    /// Returns the part of a device that can be used with another device.
    ///
    /// - Throws: The ``HostError`` of ``GroupRule`` if none can.
    func companion(
        of leader: HostDevice, among parts: [HostDevice], application: String?
    ) throws(HostError) -> HostDevice {
        var reason: HostError?
        for part in parts {
            do throws(HostError) {
                try GroupRule.check(spoken(part), with: spoken(leader), application: application)
                return part
            } catch {
                reason = reason ?? error
            }
        }
        throw reason ?? Self.unknown(leader.id)
    }

    /// Returns one part of each device, all of which can be used with the leader.
    func companions(
        of leader: HostDevice, among others: [[HostDevice]], application: String?
    ) throws(HostError) -> [HostDevice] {
        var companions: [HostDevice] = []
        for parts in others {
            let companion = try companion(of: leader, among: parts, application: application)
            guard companion.description.playsAddresses else {
                throw HostError(.notSupported, "\(spokenName(companion.id)) does not play addresses.")
            }
            if !companions.contains(where: { $0.id == companion.id }) { companions.append(companion) }
        }
        return companions
    }

    /// Returns the parts of a device with which all others can be used.
    ///
    /// - Throws: ``HostError`` with the reason if there is none.
    func leaders(
        of others: [[HostDevice]], among parts: [HostDevice], application: String?
    ) throws(HostError) -> [HostDevice] {
        var leaders: [HostDevice] = []
        var reason: HostError?
        for part in parts {
            do throws(HostError) {
                _ = try companions(of: part, among: others, application: application)
                leaders.append(part)
            } catch {
                reason = reason ?? error
            }
        }
        if leaders.isEmpty, let reason { throw reason }
        return leaders
    }

    /// Checks that devices can play together.
    ///
    /// - Throws: ``HostError`` `no-such-device`, and those of ``GroupRule``.
    package func checkTogether(_ ids: [String]) throws(HostError) {
        guard let first = ids.first else { return }
        let others = try ids.dropFirst().map { id throws(HostError) in try parts(of: id) }
        _ = try leaders(of: others, among: try parts(of: first), application: nil)
    }

    private func spoken(_ device: HostDevice) -> HostDevice {
        var device = device
        device.description.name = spokenName(device.id)
        return device
    }

    // MARK: Bringing together

    /// Opens the route to a device, and makes exactly these devices follow it.
    func gather(_ followers: [HostDevice], on device: HostDevice, prompt: PairingPrompt?) async throws {
        // It is to lead, and whom it followed play on without it.
        if groups.isFollower(device.id) { await takeOut(device.id) }
        try await openRoute(device.id, for: .person, prompt: prompt)
        // Held while people type codes for the others.
        lastGathering += 1
        let holder = "gathering-\(lastGathering)"
        routes[device.id]?.holders.insert(holder)
        let outcome: Result<Void, any Error>
        do {
            try await setFollowers(followers, of: device.id, prompt: prompt)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        let leader = groups.leader(of: device.id)
        routes[leader]?.holders.remove(holder)
        if case .failure = outcome { await closeUnneededRoute(leader) }
        try outcome.get()
    }

    /// Makes exactly these devices follow a device with an open route. Each stops its other playback.
    private func setFollowers(_ others: [HostDevice], of leader: String, prompt: PairingPrompt?) async throws {
        let wanted = Set(others.map(\.id))
        for follower in groups.followers(of: leader) where !wanted.contains(follower) { await closeRoute(follower) }
        var entered: [String] = []
        do {
            for device in others where groups.leader(of: device.id) != leader {
                for part in try parts(of: device.id) {
                    if groups.isGrouped(part.id) { await takeOut(part.id) }
                    await closed(part.id)
                    guard let current = routes[part.id]?.currentSession else { continue }
                    try await awaitRecovery(ofSession: current)
                    await stopPlayback(current, reason: nil, ending: .replaced)
                    await closeUnneededRoute(part.id)
                }
                try checkUnused(device)
                try await enter(device, following: leader, prompt: prompt)
                entered.append(device.id)
            }
        } catch {
            for device in entered { await closeRoute(device) }
            throw error
        }
    }

    /// Activates a device in the session of its leader.
    func enter(_ device: HostDevice, following leader: String, prompt: PairingPrompt?) async throws {
        if let served = routes[leader]?.servedFile { await files.admit(device.description.mediaReaders, to: served) }
        try checkUnused(device)
        try await runActivation(device, following: leader, prompt: prompt)
        groupChanged(device.id)
    }

    /// Checks that a device isn't in use.
    ///
    /// - Throws: ``HostError`` `device-in-use` if the device or another part of it is in use.
    func checkUnused(_ device: HostDevice) throws(HostError) {
        for part in try parts(of: device.id) {
            let (id, name) = (part.id, spokenName(part.id))
            if groups.isGrouped(id) {
                let others = groups.members(of: id).filter { $0 != id }.map(spokenName)
                throw HostError(
                    .deviceInUse, "\(name) is used together with \(others.joined(separator: ", ")) already.")
            }
            if let session = routes[id]?.currentSession.flatMap({ sessions[$0] }) {
                throw HostError(.deviceInUse, "\(name) plays “\(session.playback.title ?? session.source)” already.")
            }
            guard routes[id] == nil, activations[id] == nil else {
                throw HostError(.deviceInUse, "\(name) is used by another program already.")
            }
        }
    }
}
