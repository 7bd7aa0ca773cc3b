package import HostInterface

/// The Bluetooth devices in reach of the machine's adapters: a value.
///
/// bluetoothd knows a paired device whether it is switched on or not; only a connection or a signal proves its
/// presence.
package struct BluetoothPresence: Sendable {
    private struct Sighting {
        let addresses: Set<String>
        let isHeard: Bool
    }

    /// Sightings by identifier of ``BluetoothDeviceState``: each adapter has its own for a device.
    private var sightings: [String: Sighting] = [:]
    /// Addresses received until a moment ago, which still count as present for a while.
    private var fading: Set<String> = []

    package init() {}

    /// Applies bluetoothd's report about a device.
    ///
    /// - Returns: The addresses it concerns.
    package mutating func apply(_ answer: BluetoothAnswer) -> Set<String> {
        switch answer.kind {
        case .device:
            guard let state = answer.device else { return [] }
            let addresses = Set([state.address, state.firstAddress].compactMap { $0?.uppercased() })
            let old = sightings.updateValue(
                Sighting(addresses: addresses, isHeard: state.isConnected || state.signalStrength != nil),
                forKey: state.id)
            return fade(addresses.union(old?.addresses ?? []), after: old)
        case .lost:
            guard let old = answer.id.flatMap({ sightings.removeValue(forKey: $0) }) else { return [] }
            return fade(old.addresses, after: old)
        default: return []
        }
    }

    private mutating func fade(_ addresses: Set<String>, after old: Sighting?) -> Set<String> {
        for address in addresses {
            if hears(address) {
                fading.remove(address)
            } else if old?.isHeard == true {
                fading.insert(address)
            }
        }
        return addresses
    }

    private func hears(_ address: String) -> Bool {
        sightings.values.contains { $0.isHeard && $0.addresses.contains(address) }
    }

    /// Returns whether the device counts as present; `nil` if it isn't a Bluetooth device.
    ///
    /// - Parameter endpoints: As of ``DeviceDescription/endpoints``.
    package func isThere(_ endpoints: [String]) -> Bool? {
        let addresses = endpoints.compactMap(Self.address)
        guard !addresses.isEmpty else { return nil }
        return addresses.contains { fading.contains($0) || hears($0) }
    }

    /// Returns whether the device counts as present although its signal is gone.
    package func isFading(_ address: String) -> Bool { fading.contains(address) }

    /// Ends the grace period of an address without a signal.
    package mutating func expire(_ address: String) { fading.remove(address) }

    /// The address in such an endpoint as `bluetooth:00-1A-7D-DA-71-13`; `nil` for any other.
    package static func address(_ endpoint: String) -> String? {
        let prefix = "bluetooth:"
        guard endpoint.hasPrefix(prefix) else { return nil }
        return endpoint.dropFirst(prefix.count).replacing("-", with: ":").uppercased()
    }
}
