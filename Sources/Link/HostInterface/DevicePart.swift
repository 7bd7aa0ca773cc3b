/// One of the devices that are one to people, as it crosses the bus.
package struct DevicePart: Codable, Sendable, Hashable, Identifiable {
    /// Its own identifier, which it has again when the device is split.
    package var id: String
    /// What it is called on its own.
    package var name: String
    /// `CFBundleIdentifier` of the extension that knows it.
    package var `extension`: String
    package var `protocol`: String
    /// What people call the protocol: "DLNA".
    package var protocolName: String
    /// As of a device, or ``absent``.
    package var availability: String
    /// As of a device.
    package var activation: String
    package var isPaired: Bool
    package var endpoints: [String]
    /// Whether it is the one that is in use, or would be used next.
    package var isCurrent: Bool
    /// Whether it is here because its extension declares it to be the same; `false`: because a person said so, or as the
    /// one the others were merged into.
    package var isDeclared: Bool

    /// It belongs to the device, and is not there now.
    package static let absent = "absent"

    package init(
        id: String, name: String, extension: String, protocol: String, protocolName: String,
        availability: String = absent, activation: String = "idle", isPaired: Bool = false, endpoints: [String] = [],
        isCurrent: Bool = false, isDeclared: Bool = false
    ) {
        self.id = id
        self.name = name
        self.extension = `extension`
        self.protocol = `protocol`
        self.protocolName = protocolName
        self.availability = availability
        self.activation = activation
        self.isPaired = isPaired
        self.endpoints = endpoints
        self.isCurrent = isCurrent
        self.isDeclared = isDeclared
    }
}
