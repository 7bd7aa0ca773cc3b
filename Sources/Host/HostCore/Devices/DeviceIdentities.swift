package import HostInterface

/// The merges of devices, as a value that can be tested without a daemon.
///
/// People see *entries*: single devices, or merged ones with the identifier of the first. A person's choice takes
/// precedence over the declarations of extensions, which merge only devices of different protocols. Addresses and names
/// merge nothing.
package struct DeviceIdentities: Sendable {
    /// The change of entries.
    package struct Change: Sendable, Hashable {
        /// The entries there were, with their devices.
        package var before: [String: [String]] = [:]
        /// The entries with the same devices after the change.
        package var after: Set<String> = []

        mutating func add(_ other: Change) {
            // Intermediate entries were never published.
            before.merge(other.before.filter { !after.contains($0.key) }) { first, _ in first }
            after.subtract(other.before.keys)
            after.formUnion(other.after)
        }

        var devices: Set<String> { Set(before.values.joined()) }
    }

    /// The number of merged entries above which declarations create no more.
    static let declaredLimit = 1_000

    private var merges: [String: DeviceMerge] = [:]
    /// The entry of each merged device.
    private var places: [String: String] = [:]
    private var apart: Set<String> = []
    /// Devices that declare identifiers and are not merged.
    private var singles: [String: DeviceMerge.Member] = [:]
    /// The devices that declare each identifier, in order, and the reverse.
    private var declaring: [String: [String]] = [:]
    private var declarations: [String: [String]] = [:]

    package init(_ stored: StoredIdentities = StoredIdentities()) {
        apart = stored.apart
        for merge in stored.merges {
            // A device is in one place; a file that says otherwise was not written by this type.
            let members = merge.members.filter { places[$0.id] == nil }
            guard Set(members.map(\.id)).count == members.count, members.count > 1 else { continue }
            put(DeviceMerge(members: members))
            members.forEach { note($0) }
        }
    }

    package var stored: StoredIdentities {
        StoredIdentities(merges: merges.values.sorted { $0.id < $1.id }, apart: apart)
    }

    /// Entries made of several devices.
    package var merged: [String] { Array(merges.keys) }

    /// Returns the entry of a device, its own identifier if it isn't merged.
    package func entry(of device: String) -> String { places[device] ?? device }

    /// Returns the merge of an entry; `nil` for a single device.
    package func merge(_ entry: String) -> DeviceMerge? { merges[entry] }

    /// Returns the devices of an entry, the preferred one first.
    package func devices(of entry: String) -> [String] { merges[entry]?.members.map(\.id) ?? [entry] }

    // MARK: A person's choices

    /// Merges devices into one entry. The first gives it its identifier and name and is preferred; the others follow in
    /// order.
    ///
    /// - Parameters:
    ///   - devices: The devices, each with those already merged with it. A part that is listed itself comes before
    ///     those.
    ///   - describe: A function that describes a device that isn't merged.
    /// - Returns: The change, empty if the devices are already merged in this order.
    /// - Throws: ``HostError`` `invalid-argument` for fewer than two devices; `no-such-device`.
    package mutating func merge(
        _ devices: [String], describe: (String) throws(HostError) -> DeviceMerge.Member
    ) throws(HostError) -> Change {
        guard Set(devices).count > 1 else {
            throw HostError(.invalidArgument, "One device alone cannot be merged; name at least two.")
        }
        var change = Change()
        var members: [DeviceMerge.Member] = []
        for device in devices {
            let entry = entry(of: device)
            var group = merges[entry]?.members ?? []
            if group.isEmpty { group.append(try describe(device)) }
            let isNew = change.before.updateValue(group.map(\.id), forKey: entry) == nil
            if let index = group.firstIndex(where: { $0.id == device }) {
                if isNew { group[index].isHereByDeclaration = false }
                group.insert(group.remove(at: index), at: 0)
            }
            members += group.filter { member in !members.contains { $0.id == member.id } }
        }
        guard merges[members[0].id]?.members.map(\.id) != members.map(\.id) else { return Change() }
        for entry in change.before.keys { merges[entry] = nil }
        put(DeviceMerge(members: members))
        apart.subtract(members.map(\.id))
        members.forEach { note($0) }
        change.after = [members[0].id]
        return change
    }

    /// Splits an entry permanently, whatever extensions declare.
    ///
    /// - Parameter name: The name for people, for the error.
    /// - Throws: ``HostError`` `not-merged`.
    package mutating func split(_ entry: String, name: String) throws(HostError) -> Change {
        guard let merge = merges.removeValue(forKey: entry) else {
            throw HostError(.notMerged, "\(name) is one device and cannot be split.")
        }
        let devices = merge.members.map(\.id)
        for device in devices { places[device] = nil }
        // With all but one apart, no two of them can find together.
        apart.formUnion(devices.dropFirst())
        for member in merge.members { note(member) }
        return Change(before: [entry: devices], after: Set(devices))
    }

    // MARK: Declarations of extensions

    /// Processes an extension's report of a device.
    ///
    /// - Returns: The change to store and show; `nil` for none.
    package mutating func seen(_ device: DeviceMerge.Member) -> Change? {
        if let place = places[device.id] { return renew(device, in: place) }
        guard !device.declared.isEmpty || singles[device.id] != nil, singles[device.id] != device else { return nil }
        note(device)
        return join(device)
    }

    /// Removes a device that is no longer listed. A merged one keeps its place.
    package mutating func gone(_ device: String) {
        guard places[device] == nil else { return }
        singles[device] = nil
        withdraw(device)
    }

    private mutating func renew(_ device: DeviceMerge.Member, in place: String) -> Change? {
        guard var merge = merges[place], let index = merge.members.firstIndex(where: { $0.id == device.id }) else {
            return nil
        }
        var device = device
        device.isHereByDeclaration = merge.members[index].isHereByDeclaration
        guard merge.members[index] != device else { return nil }
        note(device)
        let devices = merge.members.map(\.id)
        var change = Change(before: [place: devices], after: [place])
        merge.members[index] = device
        let others = merge.members.filter { $0.id != device.id }
        guard device.isHereByDeclaration, !others.contains(where: { $0.shares(anyOf: device.declared) }) else {
            put(merge)
            return change
        }
        merges[place] = nil
        for device in devices { places[device] = nil }
        if others.count > 1 { put(DeviceMerge(members: others)) } else { note(others[0]) }
        device.isHereByDeclaration = false
        note(device)
        change.after = [others[0].id, device.id]
        if let joined = join(device) { change.add(joined) }
        return change
    }

    /// Merges a single device with those that declare the same identifier, and then with all that match either.
    private mutating func join(_ device: DeviceMerge.Member) -> Change? {
        guard !apart.contains(device.id), var partner = partner(of: device) else { return nil }
        guard partner.members.count > 1 || merges.count < Self.declaredLimit else { return nil }
        var change = Change(
            before: [device.id: [device.id], partner.id: partner.members.map(\.id)], after: [partner.id])
        var device = device
        device.isHereByDeclaration = true
        partner.members.append(device)
        put(partner)
        for other in device.declared.flatMap({ declaring[$0] ?? [] }) {
            if let single = singles[other], let joined = join(single) { change.add(joined) }
        }
        return change
    }

    /// Returns the oldest entry that matches a device's declarations and has no device of its protocol.
    private func partner(of device: DeviceMerge.Member) -> DeviceMerge? {
        for other in device.declared.flatMap({ declaring[$0] ?? [] }) where other != device.id && !apart.contains(other)
        {
            let members = merges[entry(of: other)]?.members ?? singles[other].map { [$0] } ?? []
            let isStranger = !members.contains { $0.protocolIdentifier == device.protocolIdentifier }
            if !members.isEmpty, isStranger { return DeviceMerge(members: members) }
        }
        return nil
    }

    // MARK: Bookkeeping

    private mutating func put(_ merge: DeviceMerge) {
        merges[merge.id] = merge
        for member in merge.members {
            places[member.id] = merge.id
            singles[member.id] = nil
        }
    }

    /// Replaces the declarations of a device.
    private mutating func note(_ device: DeviceMerge.Member) {
        withdraw(device.id)
        if !device.declared.isEmpty { declarations[device.id] = device.declared }
        for identifier in device.declared { declaring[identifier, default: []].append(device.id) }
        guard places[device.id] == nil else { return }
        singles[device.id] = device.declared.isEmpty ? nil : device
    }

    private mutating func withdraw(_ device: String) {
        for identifier in declarations.removeValue(forKey: device) ?? [] {
            declaring[identifier]?.removeAll { $0 == device }
            if declaring[identifier]?.isEmpty == true { declaring[identifier] = nil }
        }
    }
}
