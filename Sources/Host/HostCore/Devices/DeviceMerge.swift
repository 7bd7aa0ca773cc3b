import HostInterface

/// Several devices that are one to people, because a person said so or because their extensions declare it.
package struct DeviceMerge: Codable, Sendable, Hashable, Identifiable {
    /// One of them, as it was last told of: it may not be there now.
    package struct Member: Codable, Sendable, Hashable, Identifiable {
        package let id: String
        /// What it calls itself.
        package var name: String
        /// `CFBundleIdentifier`.
        package var extensionIdentifier: String
        package var protocolIdentifier: String
        package var protocolName: String
        /// ``DeviceDescription/deduplicationIdentifiers``
        package var declared: [String]
        /// Whether it belongs here by what extensions declare, and no longer when they do not.
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

    /// At least two, each once, the preferred one first: it lends the whole its identifier and its name.
    package var members: [Member]

    package var id: String { members[0].id }

    init(members: [Member]) { self.members = members }
}

/// What is kept of who is one with whom.
package struct StoredIdentities: Codable, Sendable, Hashable {
    package var merges: [DeviceMerge]
    /// Devices that a person took apart: what extensions declare does not join them again.
    package var apart: Set<String>

    package init(merges: [DeviceMerge] = [], apart: Set<String> = []) {
        self.merges = merges
        self.apart = apart
    }
}
