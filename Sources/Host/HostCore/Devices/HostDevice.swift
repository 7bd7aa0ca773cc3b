package import HostInterface

/// A device as the host knows it, from its extension and its own checks.
package struct HostDevice: Sendable, Hashable, Identifiable {
    /// The availability of a device.
    package enum Availability: String, Sendable, Codable {
        /// The device answered within the last seconds.
        case ready
        /// Known from before, and asked now.
        case checking
        /// The device is known from earlier; it isn't checked, or hasn't answered yet.
        case remembered
        /// The device is in use, and hasn't answered for some seconds.
        case unreachable
    }

    /// The state of the route to the device.
    package enum Activation: String, Sendable, Codable {
        case idle, activating
        case awaitingCode = "awaiting-code"
        case active
        /// Was active when its extension or the daemon exited; it is reactivated by itself.
        case reconnecting
    }

    /// An app by identifier and name.
    package struct Occupant: Sendable, Hashable {
        package let identifier: String
        package let name: String
    }

    /// With the name people see: their own, if they gave one.
    package var description: DeviceDescription
    /// The device's own name.
    package var deviceName: String
    /// The person's name for it; `nil` without.
    package var ownName: String?
    /// The address with which a person added it; `nil` for a device that was only discovered.
    package var addedAs: String?
    /// `CFBundleIdentifier` of the extension that reported it.
    package var extensionIdentifier: String
    package var protocolIdentifier: String
    /// The name of the protocol for people: "DLNA".
    package var protocolName: String
    package var availability: Availability
    package var activation = Activation.idle
    package var isPaired = false
    /// The volume, `0.0...1.0`; `nil` if unknown.
    package var level: Double?
    package var isMuted = false
    /// The devices in its group, including itself, the leader first; empty without a group.
    package var group: [String] = []
    /// `0.0...1.0`, of all of them; `nil` without a group, or without levels.
    package var groupLevel: Double?
    /// The app whose playback keeps those of other apps out; `nil` without such playback.
    package var occupant: Occupant?
    /// The error of the last failed activation or session; cleared by the next success.
    package var lastError: HostError?
    /// The extension's word on whether its last delivery of live sound met the thresholds of quality; `nil` without one.
    package var lastDeliveryPassed: Bool?
    /// The devices that were merged into this one, the preferred one first; empty for a single device.
    package var parts: [DevicePart] = []

    package var id: String { description.id }

    package init(
        description: DeviceDescription, extensionIdentifier: String, protocolIdentifier: String, protocolName: String,
        availability: Availability
    ) {
        self.description = description
        deviceName = description.name
        self.extensionIdentifier = extensionIdentifier
        self.protocolIdentifier = protocolIdentifier
        self.protocolName = protocolName
        self.availability = availability
    }
}
