import HostInterface

extension HostDevice {
    /// Creates the device that people see from merged ones.
    ///
    /// The identifier and name are those of the first. The features are those of all. Everything else is that of the
    /// part in use, or the next to use.
    ///
    /// - Parameters:
    ///   - devices: The known parts, in any order.
    ///   - ownName: The person's own name for the device.
    /// - Returns: `nil` if no part is known.
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
        // Live sound takes the way of samples, if there is one.
        let live = known.first { $0.description.capabilities.contains(.realtimeAudio) }?.description
        description.leastLatency = live?.leastLatency
        description.usualLatency = live?.usualLatency
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

    /// The rank for requests among the parts of a device. A part in use comes first, so that commands reach the playing
    /// one; one that doesn't answer comes last.
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
    /// The parts of a device in the order in which they get requests.
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
            isPaired: device.isPaired, endpoints: device.description.endpoints,
            capabilities: device.description.capabilities.names, isCurrent: isCurrent,
            isDeclared: member.isHereByDeclaration)
    }
}

extension HostDevice {
    /// Returns a Boolean value that indicates whether a word matches the part: its protocol, extension, name or
    /// identifier.
    func isMeant(by word: String) -> Bool {
        let word = word.lowercased()
        return [protocolName, protocolIdentifier, extensionIdentifier, deviceName, description.name, id]
            .contains { $0.lowercased() == word }
    }
}

extension HostError {
    /// A Boolean value that indicates whether another part of the device can succeed.
    var isOfThisWay: Bool {
        switch code {
        case .unreachable, .timedOut, .noSuchDevice, .extensionCrashed, .extensionDisabled, .extensionUnusable,
            .notSupported, .unsupportedFormat:
            true
        default: false
        }
    }

    /// A Boolean value that indicates whether the error only means that the device isn't available.
    var isAbsence: Bool { [.unreachable, .timedOut, .noSuchDevice].contains(code) }
}
