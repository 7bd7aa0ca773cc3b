package import HostInterface

extension MediaHost {
    // MARK: A person's choices

    /// Merges devices. The first gives the result its identifier and name and is preferred. Playback continues, and
    /// each device keeps its pairing and name for a later split.
    ///
    /// - Parameter ids: Two or more devices. A merged device is included with all its parts.
    /// - Returns: The identifier of the merged device.
    /// - Throws: ``HostError`` `invalid-argument` for fewer than two, `no-such-device`, `storage-failed`.
    package func mergeDevices(_ ids: [String]) async throws -> String {
        for id in ids { _ = try parts(of: id) }
        try await changeIdentities { identities throws(HostError) in
            try identities.merge(ids) { id throws(HostError) in DeviceMerge.Member(try device(id)) }
        }
        return identities.entry(of: ids[0])
    }

    /// Splits a merged device. Its parts stay apart, whatever extensions declare.
    ///
    /// - Returns: The identifiers of the known parts, the preferred one first.
    /// - Throws: ``HostError`` `not-merged`, `no-such-device`, `storage-failed`.
    package func splitDevice(_ id: String) async throws -> [String] {
        let entry = identities.entry(of: id)
        guard let name = shown(entry)?.description.name else { throw Self.unknown(id) }
        let devices = identities.devices(of: entry)
        try await changeIdentities { identities throws(HostError) in try identities.split(entry, name: name) }
        let known = devices.filter { registry[$0] != nil }
        for device in devices where !known.contains(device) { identities.gone(device) }
        return known
    }

    /// Applies a change after it is stored, so that a confirmed change is never lost.
    private func changeIdentities(
        _ apply: (inout DeviceIdentities) throws(HostError) -> DeviceIdentities.Change
    ) async throws {
        await identityTurns.take()
        let result: Result<Void, any Error>
        do {
            var stored = StoredIdentities()
            do {
                if !areIdentitiesRead { try await recallIdentities() }
                var wanted = identities
                _ = try apply(&wanted)
                stored = wanted.stored
                try await store.setIdentities(stored)
            } catch {
                if let error = error as? HostError { throw error }
                throw HostError(.storageFailed, "Which devices are one cannot be stored: \(error)")
            }
            // Extensions may have told of devices meanwhile.
            let change = try apply(&identities)
            if identities.stored != stored { saveIdentities() }
            regroup(change)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await identityTurns.pass()
        try result.get()
    }

    /// Restores the merges of earlier runs.
    func recallIdentities() async throws {
        let stored = try await store.identities()
        let known = registry.all.map(\.id)
        var before: [String: [String]] = [:]
        for id in known { before[identities.entry(of: id)] = identities.devices(of: identities.entry(of: id)) }
        identities = DeviceIdentities(stored)
        areIdentitiesRead = true
        for device in registry.all where presence.isReported(device.id) {
            _ = identities.seen(DeviceMerge.Member(device))
        }
        regroup(.init(before: before, after: Set(known.map(identities.entry))))
    }

    // MARK: Declarations of extensions

    /// Records a device's name and declarations from its extension.
    func noteIdentity(_ device: HostDevice) {
        guard let change = identities.seen(DeviceMerge.Member(device)) else { return }
        saveIdentities()
        regroup(change)
    }

    /// Stores the current state when its turn comes, so that a burst of devices causes few writes.
    private func saveIdentities() {
        guard identitySaving == nil else { return }
        identitySaving = Task {
            await identityTurns.take()
            identitySaving = nil
            do {
                if !areIdentitiesRead { try await recallIdentities() }
                try await store.setIdentities(identities.stored)
            } catch {
                report(HostError(.storageFailed, "Which devices are one cannot be stored: \(error)"))
            }
            await identityTurns.pass()
        }
    }

    // MARK: Visible devices

    /// Returns an entry of the list; `nil` if none of its devices is known, and for a part of another one.
    func shown(_ entry: String) -> HostDevice? {
        var device: HostDevice?
        if let merge = identities.merge(entry) {
            device = HostDevice(merge, of: merge.members.compactMap { registry[$0.id] }, ownName: ownNames[entry])
        } else if identities.entry(of: entry) == entry {
            device = registry[entry]
        }
        if let group = device?.group, !group.isEmpty { device?.group = group.map(identities.entry) }
        return device
    }

    func shown(_ session: HostSession) -> HostSession {
        var session = session
        session.entryID = identities.entry(of: session.deviceID)
        session.members = session.members.map(identities.entry)
        return session
    }

    /// Returns the device that people see, by its identifier or that of a part.
    ///
    /// - Throws: ``HostError`` `no-such-device`.
    package func shownDevice(_ id: String) throws(HostError) -> HostDevice {
        guard let device = shown(identities.entry(of: id)) else { throw Self.unknown(id) }
        return device
    }

    /// Returns the name for people. A part is distinguished by its protocol.
    func spokenName(_ id: String) -> String {
        let entry = identities.entry(of: id)
        guard let merge = identities.merge(entry) else { return registry[id]?.description.name ?? "The device" }
        let name = ownNames[entry] ?? merge.members[0].name
        return registry[id].map { "\(name) (\($0.protocolName))" } ?? name
    }

    /// Publishes new, changed and removed entries, and their sessions.
    private func regroup(_ change: DeviceIdentities.Change) {
        for entry in change.after.sorted() {
            if let device = shown(entry) { outbox.yield(.device(device)) }
        }
        let devices = change.devices
        for session in sessions.values where !devices.isDisjoint(with: session.members) { publish(session) }
        // Those that are used together with one of them know it by another name now.
        for member in Set(devices.flatMap(groups.members(of:))).subtracting(devices) {
            if let device = shown(identities.entry(of: member)) { outbox.yield(.device(device)) }
        }
        for (entry, devices) in change.before where shown(entry) == nil {
            if devices.contains(where: { registry[$0] != nil }) { outbox.yield(.deviceRemoved(id: entry)) }
        }
    }

    // MARK: Which part does it

    /// Returns the known parts of a device in the order in which they get requests; the device itself if it isn't
    /// merged.
    ///
    /// - Parameter via: The requested part, by protocol, extension, name or identifier; `nil` for all.
    /// - Throws: ``HostError`` `no-such-device`; `not-supported` if `via` matches no part.
    func parts(of id: String, via: String? = nil) throws(HostError) -> [HostDevice] {
        let entry = identities.entry(of: id)
        let parts = identities.devices(of: entry).compactMap { registry[$0] }.readiestFirst
        guard !parts.isEmpty else { throw Self.unknown(id) }
        guard let via else { return parts }
        let meant = parts.filter { $0.isMeant(by: via) }
        guard !meant.isEmpty else {
            let ways = Array(Set(parts.map(\.protocolName))).sorted().joined(separator: " and ")
            let name = shown(entry)?.description.name ?? "The device"
            throw HostError(.notSupported, "\(name) is not reached by “\(via)”, but by \(ways).")
        }
        return meant
    }

    /// Performs an operation with a part of a device: the one in use, otherwise the preferred available one. If it
    /// isn't available or can't do it, the next one is tried.
    ///
    /// - Parameters:
    ///   - isAble: Returns `true` for parts that support the operation.
    ///   - unable: Returns the error if none does, from the device's name.
    func withPart<Result>(
        of id: String, via: String? = nil, where isAble: (HostDevice) -> Bool = { _ in true },
        unable: (String) -> HostError = { HostError(.notSupported, "\($0) cannot do that.") },
        _ body: (HostDevice) async throws -> Result
    ) async throws -> Result {
        let able = try parts(of: id, via: via).filter(isAble)
        guard !able.isEmpty else { throw unable(try shownDevice(id).description.name) }
        var reason: HostError?
        for part in able {
            do {
                return try await body(part)
            } catch {
                guard let error = error as? HostError, error.isOfThisWay, !Task.isCancelled else { throw error }
                // A device's own answer tells more than the failure to reach it through another part.
                if reason.map({ $0.isAbsence && !error.isAbsence }) ?? true { reason = error }
            }
        }
        throw reason ?? Self.unknown(id)
    }
}
