import HostInterface

/// Several devices that people see as one, because a person merged them or their extensions declare it.
package struct DeviceMerge: Codable, Sendable, Hashable, Identifiable {
    /// A merged device as last reported. It can be unavailable.
    package struct Member: Codable, Sendable, Hashable, Identifiable {
        package let id: String
        /// The device's own name.
        package var name: String
        /// `CFBundleIdentifier`.
        package var extensionIdentifier: String
        package var protocolIdentifier: String
        package var protocolName: String
        /// ``DeviceDescription/deduplicationIdentifiers``
        package var declared: [String]
        /// A Boolean value that indicates whether only declarations of extensions merge the device.
        package var isHereByDeclaration = false

        package init(
            id: String, name: String, extensionIdentifier: String, protocolIdentifier: String, protocolName: String,
            declared: [String] = []
        ) {
            self.id = id
            self.name = name
            self.extensionIdentifier = extensionIdentifier
            self.protocolIdentifier = protocolIdentifier
            self.protocolName = protocolName
            self.declared = declared
        }

        package init(_ device: HostDevice) {
            self.init(
                id: device.id, name: device.deviceName, extensionIdentifier: device.extensionIdentifier,
                protocolIdentifier: device.protocolIdentifier, protocolName: device.protocolName,
                declared: device.description.deduplicationIdentifiers)
        }

        func shares(anyOf identifiers: [String]) -> Bool { declared.contains(where: identifiers.contains) }
    }

    /// The devices, at least two, the preferred one first, which gives the entry its identifier and name.
    package var members: [Member]

    package var id: String { members[0].id }

    init(members: [Member]) { self.members = members }
}

/// The stored merges.
package struct StoredIdentities: Codable, Sendable, Hashable {
    package var merges: [DeviceMerge]
    /// The devices that a person split. Declarations don't merge them again.
    package var apart: Set<String>

    package init(merges: [DeviceMerge] = [], apart: Set<String> = []) {
        self.merges = merges
        self.apart = apart
    }
}
