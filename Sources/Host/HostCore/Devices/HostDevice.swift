import HostInterface

/// A device as the host knows it: what its extension said, and what the host itself found out.
package struct HostDevice: Sendable, Hashable, Identifiable {
    /// Whether the device is there, as far as is known.
    package enum Availability: String, Sendable, Codable {
        /// It answered within the last seconds.
        case ready
        /// Known from before, and asked now.
        case checking
        /// Known from before; nobody asks, or it hasn't answered yet.
        case remembered
        /// In use, and hasn't answered for some seconds.
        case unreachable
    }

    /// How far the way to the device is open.
    package enum Activation: String, Sendable, Codable {
        case idle, activating
        case awaitingCode = "awaiting-code"
        case active
        /// Was active when its extension or the daemon died; opened again by itself.
        case reconnecting
    }

    /// An app by identifier and name.
    package struct Occupant: Sendable, Hashable {
        package let identifier: String
        package let name: String
    }

    /// With the name people see: their own, where they gave one.
    package var description: DeviceDescription
    /// What the device calls itself.
    package var deviceName: String
    /// The person's name for it; `nil` without.
    package var ownName: String?
    /// The address a person added it by; `nil` for one that is only found by itself.
    package var addedAs: String?
    /// `CFBundleIdentifier` of the extension that reported it.
    package var extensionIdentifier: String
    package var protocolIdentifier: String
    /// What people call the protocol: "DLNA".
    package var protocolName: String
    package var availability: Availability
    package var activation = Activation.idle
    package var isPaired = false
    /// `0.0...1.0`; `nil` until the device told.
    package var level: Double?
    package var isMuted = false
    /// The devices it is used together with, itself among them, the one that leads first; empty where it is alone.
    package var group: [String] = []
    /// `0.0...1.0`, of all of them; `nil` without a group, or without levels.
    package var groupLevel: Double?
    /// The app whose playback keeps those of other apps out; `nil` where none plays.
    package var occupant: Occupant?
    /// Why the last activation or session failed; cleared by the next that works.
    package var lastError: HostError?
    /// What it is made of where several are one to people, the preferred one first; empty for a device by itself.
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
