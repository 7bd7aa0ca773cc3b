import HostInterface

/// The setting that gives every device that is found a sink, and the devices whose sinks were removed meanwhile. A value
/// without I/O.
package struct SinkFollowing: Sendable, Hashable, Codable {
    /// The most sinks that are added by themselves: a mixer with more isn't usable, and anybody in the network can
    /// announce devices.
    package static let limit = 32
    /// The most devices that are remembered as removed; the earliest is forgotten first.
    static let mostRemoved = 1_000

    package private(set) var isOn = false
    /// Identifiers of the devices that get no sink again, in the order of their removal.
    package private(set) var removed: [String] = []

    package init() {}

    /// Starts anew, or ends. Either forgets the removed devices.
    mutating func turn(_ isOn: Bool) {
        self.isOn = isOn
        removed = []
    }

    /// A person removed the sink of a device.
    mutating func remove(_ id: String) {
        guard isOn else { return }
        removed.removeAll { $0 == id }
        removed.append(id)
        removed.removeFirst(max(0, removed.count - Self.mostRemoved))
    }

    /// A person added a sink for a device.
    mutating func add(_ device: HostDevice) {
        guard !removed.isEmpty else { return }
        let ids = device.wholeAndParts
        removed.removeAll { ids.contains($0) }
    }

    /// Returns a Boolean value that indicates whether a device is to get a sink, if it has none.
    func wants(_ device: HostDevice) -> Bool {
        isOn && Self.suits(device) && device.wholeAndParts.isDisjoint(with: removed)
    }

    /// Returns a Boolean value that indicates whether a device is available and plays sound of this computer.
    ///
    /// A Bluetooth speaker that isn't paired may be a neighbor's.
    static func suits(_ device: HostDevice) -> Bool {
        guard device.availability == .ready, device.description.takesLiveSound else { return false }
        return device.isPaired || !device.description.endpoints.contains { BluetoothPresence.address($0) != nil }
    }
}

extension HostDevice {
    /// The identifiers of the device and its parts.
    var wholeAndParts: Set<String> { Set(parts.map(\.id) + [id]) }
}
