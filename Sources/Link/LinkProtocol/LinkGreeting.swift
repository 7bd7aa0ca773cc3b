/// The greeting of an extension in `Hello`, its first message.
package struct LinkGreeting: Codable, Sendable, Hashable {
    /// The versions of the link that this build speaks.
    package static let linkVersions = 1...1

    package var sdkVersion: String
    /// The newest version of the link that its SDK speaks.
    package var linkVersion: Int
    /// The oldest supported version; `nil` if the extension supports only one.
    package var oldestLinkVersion: Int?
    /// The identifier of the media-sharing protocol; for other extension points that of the point.
    package var protocolIdentifier: String
    package var supportsSimultaneousSessions: Bool
    /// A Boolean value that indicates whether the extension takes live samples; `nil` from an earlier SDK.
    package var handlesRealtimeSamples: Bool?
    /// A Boolean value that indicates whether it reads media from URLs for devices that accept only samples.
    package var readsMedia: Bool?

    package init(
        sdkVersion: String = "1.0", linkVersion: Int = Self.linkVersions.upperBound,
        oldestLinkVersion: Int? = Self.linkVersions.lowerBound, protocolIdentifier: String,
        supportsSimultaneousSessions: Bool, handlesRealtimeSamples: Bool? = nil,
        readsMedia: Bool? = nil
    ) {
        self.sdkVersion = sdkVersion
        self.linkVersion = linkVersion
        self.oldestLinkVersion = oldestLinkVersion
        self.protocolIdentifier = protocolIdentifier
        self.supportsSimultaneousSessions = supportsSimultaneousSessions
        self.handlesRealtimeSamples = handlesRealtimeSamples
        self.readsMedia = readsMedia
    }

    /// The name and the signatures of the method.
    package static let member = "Hello"
    package static let arguments = [(name: "hello", signature: "a{sv}")]
    package static let results = [(name: "host", signature: "a{sv}")]
}

/// The host's answer to a greeting.
package struct LinkWelcome: Codable, Sendable, Hashable {
    /// The newest version of the link that both sides support.
    package var linkVersion: Int
    /// The number of times the host has started this extension.
    package var generation: Int
    /// The host's name, which devices may show.
    package var name: String
    /// The extension's own folder, mode 0700; empty for none.
    package var stateDirectory: String

    package init(generation: Int, name: String, stateDirectory: String) {
        linkVersion = LinkGreeting.linkVersions.upperBound
        self.generation = generation
        self.name = name
        self.stateDirectory = stateDirectory
    }
}

/// The newest link version that an extension and this host have in common, if any.
package enum LinkAgreement: Sendable, Hashable {
    /// The newest common version.
    case version(Int)
    /// There is no common version. The clause follows the extension's name in messages.
    case none(String)

    package init(_ greeting: LinkGreeting, host: ClosedRange<Int> = LinkGreeting.linkVersions) {
        let newest = min(greeting.linkVersion, host.upperBound)
        let oldest = max(min(greeting.oldestLinkVersion ?? greeting.linkVersion, greeting.linkVersion), host.lowerBound)
        guard newest < oldest else {
            self = .version(newest)
            return
        }
        let isNewer = greeting.linkVersion > host.upperBound
        let bound = isNewer ? host.upperBound : host.lowerBound
        self = .none(
            "\(isNewer ? "needs a newer mdhost" : "has to be built again"): "
                + "its SDK \(greeting.sdkVersion.prefix(40)) speaks version \(greeting.linkVersion) of the link, "
                + "and this mdhost version \(bound)")
    }
}
