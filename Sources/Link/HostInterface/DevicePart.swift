/// A part of a merged device, in the form that crosses the bus.
package struct DevicePart: Codable, Sendable, Hashable, Identifiable {
    /// The part's own identifier, which it gets back when the device is split.
    package var id: String
    /// The part's own name.
    package var name: String
    /// The `CFBundleIdentifier` of the part's extension.
    package var `extension`: String
    package var `protocol`: String
    /// The name of the protocol for people: "DLNA".
    package var protocolName: String
    /// The availability of a device, or ``absent``.
    package var availability: String
    /// The activation of a device.
    package var activation: String
    package var isPaired: Bool
    package var endpoints: [String]
    /// The names of the part's capabilities; `nil` while it is absent.
    package var capabilities: [String]?
    /// A Boolean value that indicates whether the part is in use, or is used next.
    package var isCurrent: Bool
    /// A Boolean value that indicates whether the part's extension declared it to be the same device; `false` if a
    /// person merged it, or others were merged into it.
    package var isDeclared: Bool

    /// The availability of a part that isn't present.
    package static let absent = "absent"

    package init(
        id: String, name: String, extension: String, protocol: String, protocolName: String,
        availability: String = absent, activation: String = "idle", isPaired: Bool = false, endpoints: [String] = [],
        capabilities: [String]? = nil, isCurrent: Bool = false, isDeclared: Bool = false
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
        self.capabilities = capabilities
        self.isCurrent = isCurrent
        self.isDeclared = isDeclared
    }
}
