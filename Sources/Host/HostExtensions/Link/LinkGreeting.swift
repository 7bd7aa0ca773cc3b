/// The greeting of an extension.
package struct ExtensionHello: Codable, Sendable, Hashable {
    package var sdkVersion: String
    /// The newest version of the link its SDK speaks.
    package var linkVersion: Int
    /// The oldest supported version; `nil` if the extension supports only one.
    package var oldestLinkVersion: Int?
    package var protocolIdentifier: String
    package var supportsSimultaneousSessions: Bool

    package init(
        sdkVersion: String, linkVersion: Int, oldestLinkVersion: Int? = nil, protocolIdentifier: String,
        supportsSimultaneousSessions: Bool
    ) {
        self.sdkVersion = sdkVersion
        self.linkVersion = linkVersion
        self.oldestLinkVersion = oldestLinkVersion
        self.protocolIdentifier = protocolIdentifier
        self.supportsSimultaneousSessions = supportsSimultaneousSessions
    }
}

/// The host's answer to ``ExtensionHello``.
package struct HostGreeting: Codable, Sendable, Hashable {
    /// The versions of the link this host speaks.
    package static let linkVersions = 1...1

    /// The version used after the greeting.
    package var linkVersion: Int
    package var generation: Int
    /// The host's name as devices may show it.
    package var name: String
    /// The extension's own folder, mode 0700.
    package var stateDirectory: String

    package init(generation: Int, name: String, stateDirectory: String) {
        linkVersion = Self.linkVersions.upperBound
        self.generation = generation
        self.name = name
        self.stateDirectory = stateDirectory
    }
}

/// The newest link version that an extension and this host have in common, if any.
enum LinkAgreement: Sendable, Hashable {
    /// The newest common version.
    case version(Int)
    /// There is no common version. The clause follows the extension's name in messages.
    case none(String)

    init(_ hello: ExtensionHello, host: ClosedRange<Int> = HostGreeting.linkVersions) {
        let newest = min(hello.linkVersion, host.upperBound)
        let oldest = max(min(hello.oldestLinkVersion ?? hello.linkVersion, hello.linkVersion), host.lowerBound)
        guard newest < oldest else {
            self = .version(newest)
            return
        }
        let isNewer = hello.linkVersion > host.upperBound
        let bound = isNewer ? host.upperBound : host.lowerBound
        self = .none(
            "\(isNewer ? "needs a newer mdhost" : "has to be built again"): "
                + "its SDK \(hello.sdkVersion.prefix(40)) speaks version \(hello.linkVersion) of the link, "
                + "and this mdhost version \(bound)")
    }
}
