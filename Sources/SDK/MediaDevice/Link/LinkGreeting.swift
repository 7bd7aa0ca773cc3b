import Foundation

/// What an extension says about itself in `Hello`.
struct LinkGreeting: Codable, Sendable, Hashable {
    /// The version of the link that this SDK speaks.
    static let currentLinkVersion: Int64 = 1

    var sdkVersion = "1.0"
    var linkVersion = Self.currentLinkVersion
    var protocolIdentifier: String
    var supportsSimultaneousSessions: Bool
}

/// What the host answers.
struct LinkWelcome: Codable, Sendable, Hashable {
    var linkVersion: Int64
    /// How often the host has started this extension.
    var generation: Int64
    /// The host's name, as devices may show it.
    var name: String
    /// The folder the extension may write to; empty: none.
    var stateDirectory: String
}
