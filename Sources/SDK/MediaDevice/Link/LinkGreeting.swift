import Foundation

/// What an extension says about itself in `Hello`.
struct LinkGreeting: Codable, Sendable, Hashable {
    /// The versions of the link that this SDK speaks.
    static let linkVersions: ClosedRange<Int64> = 1...1

    var sdkVersion = "1.0"
    /// The newest one.
    var linkVersion = Self.linkVersions.upperBound
    var oldestLinkVersion = Self.linkVersions.lowerBound
    var protocolIdentifier: String
    var supportsSimultaneousSessions: Bool
}

/// What the host answers.
struct LinkWelcome: Codable, Sendable, Hashable {
    /// Of those the extension speaks, the newest that the host speaks too.
    var linkVersion: Int64
    /// How often the host has started this extension.
    var generation: Int64
    /// The host's name, as devices may show it.
    var name: String
    /// The folder the extension may write to; empty: none.
    var stateDirectory: String
}
