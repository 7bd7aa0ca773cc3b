import DBus
import ExtensionFoundation
import Foundation
import HostInterface

/// What an extension says about itself in `Hello`.
package struct LinkGreeting: Codable, Sendable, Hashable {
    /// The versions of the link that this SDK speaks.
    package static let linkVersions: ClosedRange<Int64> = 1...1

    package var sdkVersion = "1.0"
    /// The newest one.
    package var linkVersion = Self.linkVersions.upperBound
    package var oldestLinkVersion = Self.linkVersions.lowerBound
    /// Of its media sharing protocol; for other extension points the point's own identifier.
    package var protocolIdentifier: String
    package var supportsSimultaneousSessions: Bool

    package init(protocolIdentifier: String, supportsSimultaneousSessions: Bool) {
        self.protocolIdentifier = protocolIdentifier
        self.supportsSimultaneousSessions = supportsSimultaneousSessions
    }

    /// Greets the host, which is the first thing it must hear.
    ///
    /// - Throws: ``LinkGreetingError``, or ``DBusError`` when the link breaks before the host's welcome.
    package func exchange(on connection: DBusConnection) async throws -> LinkWelcome {
        let reply = try await connection.call(
            nil, path: HostNames.hostLinkPath, interface: HostNames.hostLinkInterface, member: "Hello",
            [try DBusDictionaryEncoder().encode(self)])
        guard let answer = reply.first else { throw LinkGreetingError.noWelcome("the answer is empty") }
        let welcome: LinkWelcome
        do {
            welcome = try DBusDictionaryDecoder().decode(LinkWelcome.self, from: answer)
        } catch {
            throw LinkGreetingError.noWelcome("\(error)")
        }
        guard Self.linkVersions.contains(welcome.linkVersion) else {
            throw LinkGreetingError.unknownLinkVersion(welcome.linkVersion)
        }
        return welcome
    }
}

/// What the host answers.
package struct LinkWelcome: Codable, Sendable, Hashable {
    /// Of those the extension speaks, the newest that the host speaks too.
    package var linkVersion: Int64
    /// How often the host has started this extension.
    package var generation: Int64
    /// The host's name, as devices may show it.
    package var name: String
    /// The folder the extension may write to; empty: none.
    package var stateDirectory: String
}

/// Why an extension and its host do not understand each other.
package enum LinkGreetingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The host speaks a version of the link that this SDK does not know.
    case unknownLinkVersion(Int64)
    /// The host did not answer `Hello`, or not in its terms.
    case noWelcome(String)

    package var description: String {
        switch self {
        case .unknownLinkVersion(let version):
            "the host speaks version \(version) of the link and this extension version "
                + "\(LinkGreeting.linkVersions.upperBound): build it again with the host's SDK"
        case .noWelcome(let reason): "the host did not welcome the extension: \(reason)"
        }
    }
}

extension NSXPCConnection {
    /// Describes who is at the other end of a link.
    package convenience init(peerOf connection: DBusConnection) async {
        let credentials = await connection.peerCredentials
        self.init(
            processIdentifier: credentials?.processID ?? 0, effectiveUserIdentifier: credentials?.userID ?? .max,
            effectiveGroupIdentifier: credentials?.groupID ?? .max)
    }

    /// Whether the other end runs as this process' user, or as root.
    package var isOfSameUser: Bool { effectiveUserIdentifier == getuid() || effectiveUserIdentifier == 0 }
}
