import HostInterface

extension HostDevice {
    /// Several devices as the one they are to people.
    ///
    /// Identifier and name are those of the first; what it can do is what any of them can; the rest is told of the one that
    /// is in use, or would be used next.
    ///
    /// - Parameters:
    ///   - devices: Those of its members that are known now, in any order.
    ///   - ownName: The person's name for it.
    /// - Returns: `nil` where none of them is known now.
    init?(_ merge: DeviceMerge, of devices: [HostDevice], ownName: String?) {
        let known = merge.members.compactMap { member in devices.first { $0.id == member.id } }
        let ready = known.readiestFirst
        guard let current = ready.first else { return nil }
        self = current
        deviceName = merge.members[0].name
        self.ownName = ownName
        description.id = merge.id
        description.name = ownName ?? deviceName
        description.capabilities = known.reduce(into: []) { $0.formUnion($1.description.capabilities) }
        addedAs = known.lazy.compactMap(\.addedAs).first
        let forVolume = ready.first { $0.description.volumeControl != .none } ?? current
        description.volumeControl = forVolume.description.volumeControl
        level = forVolume.level
        let forMuting = ready.first(where: \.description.canMute) ?? current
        description.canMute = forMuting.description.canMute
        isMuted = forMuting.isMuted
        parts = merge.members.map { member in
            known.first { $0.id == member.id }.map { DevicePart(member, $0, isCurrent: $0.id == current.id) }
                ?? DevicePart(member)
        }
    }

    /// How soon it is asked among those that are one to people: one in use first, so that what is done to a device is done
    /// where it plays; one that does not answer last.
    fileprivate var rank: Int {
        switch availability {
        case .ready: activation == .idle ? 1 : 0
        case .checking: activation == .idle ? 2 : 0
        case .remembered: activation == .idle ? 3 : 0
        case .unreachable: 4
        }
    }
}

extension [HostDevice] {
    /// Parts of one device, the preferred one first, in the order in which they are asked to do something.
    var readiestFirst: [HostDevice] {
        enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element)
    }
}

extension DevicePart {
    fileprivate init(_ member: DeviceMerge.Member) {
        self.init(
            id: member.id, name: member.name, extension: member.extensionIdentifier,
            protocol: member.protocolIdentifier, protocolName: member.protocolName,
            isDeclared: member.isHereByDeclaration)
    }

    fileprivate init(_ member: DeviceMerge.Member, _ device: HostDevice, isCurrent: Bool) {
        self.init(
            id: device.id, name: device.description.name, extension: device.extensionIdentifier,
            protocol: device.protocolIdentifier, protocolName: device.protocolName,
            availability: device.availability.rawValue, activation: device.activation.rawValue,
            isPaired: device.isPaired, endpoints: device.description.endpoints, isCurrent: isCurrent,
            isDeclared: member.isHereByDeclaration)
    }
}

extension HostDevice {
    /// Whether a person may mean this one of several by the word: its protocol, its extension, its name or its identifier.
    func isMeant(by word: String) -> Bool {
        let word = word.lowercased()
        return [protocolName, protocolIdentifier, extensionIdentifier, deviceName, description.name, id]
            .contains { $0.lowercased() == word }
    }
}

extension HostError {
    /// Whether another way to the same device may do what this one did not.
    var isOfThisWay: Bool {
        switch code {
        case .unreachable, .timedOut, .noSuchDevice, .extensionCrashed, .extensionDisabled, .extensionUnusable,
            .notSupported, .unsupportedFormat:
            true
        default: false
        }
    }

    /// Whether it says no more than that nothing is there.
    var isAbsence: Bool { [.unreachable, .timedOut, .noSuchDevice].contains(code) }
}
