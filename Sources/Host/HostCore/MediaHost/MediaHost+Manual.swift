import Foundation
import HostInterface

extension MediaHost {
    /// The time limit for the extension to report a device for the found announcements.
    private static let introduction = Duration.seconds(10)

    /// Adds the devices at an address, for networks that block multicast. It asks the address directly and stores it.
    ///
    /// - Returns: The identifiers of the devices, at least one.
    /// - Throws: ``HostError`` `not-supported` for an unknown protocol, `unreachable` if no supported device answers,
    ///   `storage-failed`.
    package func addDevice(_ address: ManualAddress) async throws -> [String] {
        let kinds = try declaredKinds(address.protocolName)
        let findings = try await discovery.search(address, for: kinds)
        let added = ManualDevice(address: address, findings: findings)
        let before = manual
        manual.removeAll { $0.address == address }
        manual.append(added)
        await discovery.setManual(manual.flatMap(\.findings))
        let lease = "added " + address.text + UUID().uuidString
        await takeLease(lease)
        let devices = await devices(of: added)
        await endLease(lease)
        guard !devices.isEmpty else {
            manual = before
            await discovery.setManual(manual.flatMap(\.findings))
            throw HostError(
                .deviceRefused, "Something answers at \(address.text), but no extension made a device of it.")
        }
        // Devices listed before count as added from now on, too.
        markManual()
        try await storeManual()
        return Set(devices.map(identities.entry)).sorted()
    }

    /// Removes an added address. Devices that are discovered without it remain.
    ///
    /// - Throws: ``HostError`` `no-such-device`, with the added addresses.
    package func removeDevice(_ address: String) async throws {
        let wanted = address.lowercased()
        let known = manual
        manual.removeAll { $0.address.text.lowercased() == wanted || $0.address.host.lowercased() == wanted }
        guard manual != known else {
            let list = known.map(\.address.text).joined(separator: ", ")
            throw HostError(
                .noSuchDevice,
                "“\(address)” was not added by hand"
                    + (list.isEmpty ? "; nothing was." : ". Added were: \(list)."))
        }
        // A device found by discovery is remembered again when it is next seen.
        let gone = registry.all.filter { device in
            known.contains { !manual.contains($0) && $0.has(device.description.endpoints) }
        }
        await discovery.setManual(manual.flatMap(\.findings))
        markManual()
        try await storeManual()
        sightings.forgetStored()
        for device in gone {
            // During discovery its extension reports whether it is found without the address.
            if !isLooking, routes[device.id] == nil { publish(registry.remove(device.id)) }
            do {
                try await store.forgetCachedDevice(id: device.id)
            } catch {
                throw HostError(.storageFailed, "\(device.description.name) cannot be forgotten: \(error)")
            }
        }
    }

    /// Asks the addresses that were added where their devices are now.
    func searchManual() {
        guard !manual.isEmpty else { return }
        manualSearch?.cancel()
        manualSearch = Task {
            for known in manual {
                guard let kinds = try? declaredKinds(known.address.protocolName),
                    let findings = try? await discovery.search(known.address, for: kinds), !Task.isCancelled,
                    let index = manual.firstIndex(of: known), findings != known.findings
                else { continue }
                manual[index].findings = findings
                await discovery.setManual(manual.flatMap(\.findings))
                do throws(HostError) { try await storeManual() } catch { report(error) }
            }
        }
    }

    /// Restores the addresses and names of earlier runs.
    func recallPersonsWishes() async {
        do {
            ownNames = try await store.ownNames()
            certificateExceptions = try await store.certificateExceptions()
            manual = try await store.manualDevices()
            await discovery.setManual(manual.flatMap(\.findings))
        } catch {
            report(HostError(.storageFailed, "Own names and added devices cannot be read: \(error)"))
        }
        do {
            try await recallIdentities()
        } catch {
            report(HostError(.storageFailed, "Which devices are one cannot be read: \(error)"))
        }
    }

    private func storeManual() async throws(HostError) {
        do {
            try await store.setManualDevices(manual)
        } catch {
            throw (error as? HostError) ?? HostError(.storageFailed, "The added devices cannot be stored: \(error)")
        }
    }

    private func declaredKinds(_ protocolName: String?) throws(HostError) -> [DeclaredKind] {
        let usable = statuses.values.filter { $0.canRun && !$0.declaredKinds.isEmpty }
        guard let wanted = protocolName?.lowercased() else { return usable.flatMap(\.declaredKinds) }
        let fitting = usable.filter {
            [$0.protocolIdentifier, $0.protocolName, $0.id].contains { $0.lowercased() == wanted }
        }
        guard !fitting.isEmpty else {
            let names = usable.map(\.protocolName).sorted().joined(separator: ", ")
            throw HostError(
                .notSupported, "No extension knows the protocol “\(protocolName ?? "")”. Known are: \(names).")
        }
        return fitting.flatMap(\.declaredKinds)
    }

    /// Returns the devices for the found announcements, after there is one for each place or the time has passed.
    private func devices(of added: ManualDevice) async -> [String] {
        let places = Set(added.findings.map { "\($0.item.addresses.first ?? "") \($0.item.port)" })
        let late = HostError(.timedOut, "Nothing more was found.")
        let deadline = Task { [clock] in _ = try? await clock.sleep(for: Self.introduction) }
        let ticket = UUID().uuidString
        defer { deadline.cancel() }
        while true {
            let found = registry.all.filter { $0.availability == .ready && added.has($0.description.endpoints) }
            if found.count >= places.count { return found.map(\.id).sorted() }
            let arrived: Void? = try? await arrivals.outcome(
                ticket, within: Self.introduction, clock: clock, late: late
            ) {
                await deadline.value; throw late
            }
            if arrived == nil { return found.map(\.id).sorted() }
        }
    }

    // MARK: Names

    /// Sets the person's own name of a device; an empty one restores the device's name.
    package func rename(_ id: String, to name: String) async throws {
        let entry = identities.entry(of: id)
        guard let device = shown(entry) else { throw Self.unknown(id) }
        let trimmed = try Self.checkedName(name)
        let own = trimmed.isEmpty || trimmed == device.deviceName ? nil : trimmed
        do {
            try await store.setOwnName(own, device: entry)
        } catch {
            throw HostError(.storageFailed, "The name cannot be stored: \(error)")
        }
        ownNames[entry] = own
        publish(
            registry.update(entry) { device in
                device.description.name = own ?? device.deviceName
                device.ownName = own
            })
        // The part it has its name from may not be there.
        if registry[entry] == nil, let renamed = shown(entry) { outbox.yield(.device(renamed)) }
    }

    /// Returns a name without surrounding white space.
    ///
    /// - Throws: ``HostError`` `invalid-argument`.
    static func checkedName(_ name: String) throws(HostError) -> String {
        let trimmed = name.trimmingCharacters(in: .whitespacesAndNewlines)
        guard trimmed.utf8.count <= 200,
            !trimmed.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw HostError(.invalidArgument, "A name has at most 200 bytes and no control characters.") }
        return trimmed
    }

    /// Applies the person's own name to an extension's description.
    func personalise(_ device: inout HostDevice) {
        let own = ownNames[device.id]
        if device.description.name == own, let known = registry[device.id]?.deviceName {
            // An extension that was handed the device with the person's name says it back.
            device.deviceName = known
        } else {
            device.deviceName = device.description.name
        }
        device.ownName = own
        device.description.name = own ?? device.deviceName
        device.addedAs = manual.first { $0.has(device.description.endpoints) }?.address.text
    }

    private func markManual() {
        for device in registry.all {
            var changed = device
            personalise(&changed)
            publish(registry.update(device.id) { $0 = changed })
        }
    }
}

extension ExtensionStatus {
    /// The kinds of announcements that the manifest declares.
    var declaredKinds: [DeclaredKind] {
        bonjourServices.map { DeclaredKind(kind: .bonjour, type: $0) }
            + ssdpSearchTargets.map { DeclaredKind(kind: .ssdp, type: $0) }
    }
}
