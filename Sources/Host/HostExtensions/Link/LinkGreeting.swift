/// How an extension introduces itself.
package struct ExtensionHello: Codable, Sendable, Hashable {
    package var sdkVersion: String
    package var linkVersion: Int
    package var protocolIdentifier: String
    package var supportsSimultaneousSessions: Bool

    package init(
        sdkVersion: String, linkVersion: Int, protocolIdentifier: String, supportsSimultaneousSessions: Bool
    ) {
        self.sdkVersion = sdkVersion
        self.linkVersion = linkVersion
        self.protocolIdentifier = protocolIdentifier
        self.supportsSimultaneousSessions = supportsSimultaneousSessions
    }
}

/// The host's answer to ``ExtensionHello``.
package struct HostGreeting: Codable, Sendable, Hashable {
    /// The version of the link this host speaks.
    package static let linkVersion = 1

    package var linkVersion: Int
    package var generation: Int
    /// The host's name as devices may show it.
    package var name: String
    /// The extension's own folder, mode 0700.
    package var stateDirectory: String

    package init(generation: Int, name: String, stateDirectory: String) {
        linkVersion = Self.linkVersion
        self.generation = generation
        self.name = name
        self.stateDirectory = stateDirectory
    }
}
