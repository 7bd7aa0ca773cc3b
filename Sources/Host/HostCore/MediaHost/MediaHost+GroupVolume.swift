import HostInterface

extension MediaHost {
    /// Sets the level of everything the device is used together with, `0.0...1.0`, clamped: the loudest gets it, the others
    /// keep their proportion to it. A member that does not answer keeps its own.
    ///
    /// - Throws: ``HostError`` as ``setVolume(_:device:prompt:)``, whose work this is for a device that is alone.
    package func setGroupVolume(_ level: Double, device id: String, prompt: PairingPrompt?) async throws {
        guard let device = groupedPart(of: id), let session = routes[device.id]?.linkSession else {
            return try await setVolume(level, device: id, prompt: prompt)
        }
        guard device.description.volumeControl == .absolute else {
            throw HostError(.notSupported, "\(spokenName(device.id)) has no level that can be set.")
        }
        guard level.isFinite else { throw HostError(.invalidArgument, "A level is a number from 0 to 1.") }
        let levels = groupLevels[session]?.move(to: level) ?? [:]
        try await forEachMember(of: device.id) { host, member in
            guard let level = levels[member] else { return }
            try await host.setVolume(level, device: member, prompt: nil)
        }
    }

    /// Changes the volume of a group by steps, like ``changeVolume(by:device:prompt:)`` for one device.
    package func changeGroupVolume(by increments: Int32, device id: String, prompt: PairingPrompt?) async throws {
        guard let device = groupedPart(of: id) else {
            return try await changeVolume(by: increments, device: id, prompt: prompt)
        }
        if device.description.volumeControl == .absolute {
            let level = (device.groupLevel ?? 0) + Double(increments) * Self.step
            return try await setGroupVolume(level, device: id, prompt: prompt)
        }
        try await forEachMember(of: device.id) { host, member in
            try await host.changeVolume(by: increments, device: member, prompt: nil)
        }
    }

    /// Mutes or unmutes every member.
    package func setGroupMuted(_ isMuted: Bool, device id: String, prompt: PairingPrompt?) async throws {
        guard let device = groupedPart(of: id) else {
            return try await setMuted(isMuted, device: id, prompt: prompt)
        }
        try await forEachMember(of: device.id) { host, member in
            try await host.setMuted(isMuted, device: member, prompt: nil)
        }
    }

    /// Returns the part of a device that is in a group; `nil` if none is.
    private func groupedPart(of id: String) -> HostDevice? {
        identities.devices(of: identities.entry(of: id)).first(where: groups.isGrouped).flatMap { registry[$0] }
    }

    /// Performs an operation for every available member, even if one fails.
    ///
    /// - Throws: The first error.
    private func forEachMember(of id: String, _ body: (isolated MediaHost, String) async throws -> Void) async throws {
        var failure: (any Error)?
        // Without its leader the whole group is away, and waits to be resumed.
        let isAway = recoveries[groups.leader(of: id)] != nil
        for member in groups.members(of: id) where isAway || recoveries[member] == nil {
            do {
                try await body(self, member)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// Updates the volume of the group after a change of a device's volume.
    func groupHeard(_ id: String) {
        guard groups.isGrouped(id), let session = routes[id]?.linkSession, let device = registry[id],
            device.description.volumeControl == .absolute, let level = device.level
        else { return }
        groupLevels[session, default: GroupLevel()].heard(level, from: id)
        showGroupLevel(id)
    }

    /// Shows the level of a group, which learns that of every member first.
    func showGroupLevel(_ id: String) {
        let leader = groups.leader(of: id)
        guard let session = routes[leader]?.linkSession else { return }
        let isGroup = registry[leader]?.group.isEmpty == false
        if !isGroup { groupLevels[session] = nil }
        let members = groups.members(of: leader)
        for member in members where isGroup && groupLevels[session]?.levels[member] == nil {
            guard let device = registry[member], device.description.volumeControl == .absolute, let level = device.level
            else { continue }
            groupLevels[session, default: GroupLevel()].heard(level, from: member)
        }
        for member in members {
            let level = registry[member]?.group.isEmpty == false ? groupLevels[session]?.level : nil
            publish(registry.update(member) { $0.groupLevel = level })
        }
    }
}
