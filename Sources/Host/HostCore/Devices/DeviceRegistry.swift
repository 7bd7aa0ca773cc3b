import HostInterface
import LinkProtocol

/// All known devices by identifier, as a value that can be tested without a daemon.
///
/// Each mutation returns the changes, in the order for clients. A device belongs to the first extension that reported
/// its identifier. Other extensions with the same identifier are refused, so an extension can't rename or remove
/// another's devices.
package struct DeviceRegistry: Sendable {
    package enum Change: Sendable, Hashable {
        case added(HostDevice)
        case updated(HostDevice)
        case removed(id: String)
    }

    /// The highest number of devices of one extension. Further ones are counted in ``refused`` and dropped.
    package static let limitPerExtension = 20_000

    private var devices: [String: HostDevice] = [:]
    private var counts: [String: Int] = [:]
    private var memory = DeviceMemory()
    /// Reports dropped because of a foreign identifier or a limit.
    package private(set) var refused = 0
    /// Extensions with more devices than are kept.
    package private(set) var overfull: Set<String> = []

    package init() {}

    package var all: [HostDevice] { Array(devices.values) }

    package subscript(id: String) -> HostDevice? { devices[id] }

    /// Processes an extension's report of a device.
    package mutating func seen(_ device: HostDevice) -> Change? {
        guard var known = devices[device.id] else {
            guard counts[device.extensionIdentifier, default: 0] < Self.limitPerExtension,
                memory.take(device.description.textSize, for: device.extensionIdentifier)
            else {
                refused += 1
                overfull.insert(device.extensionIdentifier)
                return nil
            }
            devices[device.id] = device
            counts[device.extensionIdentifier, default: 0] += 1
            return .added(device)
        }
        guard known.extensionIdentifier == device.extensionIdentifier else {
            refused += 1
            return nil
        }
        // A device that grows too large keeps its earlier description.
        memory.giveBack(known.description.textSize, of: known.extensionIdentifier)
        if memory.take(device.description.textSize, for: known.extensionIdentifier) {
            known.description = device.description
        } else {
            refused += 1
            overfull.insert(device.extensionIdentifier)
            memory.restore(known.description.textSize, of: known.extensionIdentifier)
        }
        known.deviceName = device.deviceName
        known.ownName = device.ownName
        known.addedAs = device.addedAs
        known.protocolIdentifier = device.protocolIdentifier
        known.protocolName = device.protocolName
        known.availability = device.availability
        return store(known)
    }

    /// Changes a device; `nil` if it is unknown or doesn't change.
    package mutating func update(_ id: String, _ change: (inout HostDevice) -> Void) -> Change? {
        guard var device = devices[id] else { return nil }
        change(&device)
        return store(device)
    }

    /// Processes the loss of a device by its extension.
    ///
    /// A device in use stays in the list as unreachable, so that its playback doesn't disappear silently.
    package mutating func lost(_ id: String, from extensionIdentifier: String, inUse: Bool) -> Change? {
        guard let device = devices[id], device.extensionIdentifier == extensionIdentifier else { return nil }
        if inUse {
            return update(id) { $0.availability = .unreachable }
        }
        return remove(id)
    }

    package mutating func remove(_ id: String) -> Change? {
        guard let device = devices.removeValue(forKey: id) else { return nil }
        counts[device.extensionIdentifier, default: 1] -= 1
        memory.giveBack(device.description.textSize, of: device.extensionIdentifier)
        return .removed(id: id)
    }

    /// Removes remembered devices that weren't confirmed.
    ///
    /// - Parameter kept: The devices that stay all the same.
    package mutating func removeUnconfirmed(except kept: Set<String> = []) -> [Change] {
        devices.values.filter { device in
            [.remembered, .checking].contains(device.availability) && device.activation == .idle
                && !kept.contains(device.id)
        }
        .map(\.id).sorted().compactMap { remove($0) }
    }

    private mutating func store(_ device: HostDevice) -> Change? {
        guard devices[device.id] != device else { return nil }
        devices[device.id] = device
        return .updated(device)
    }
}
