import DBus
import ExtensionFoundation
import Foundation
import HostInterface

/// An extension's description of itself in `Hello`.
package struct LinkGreeting: Codable, Sendable, Hashable {
    /// The versions of the link that this SDK speaks.
    package static let linkVersions: ClosedRange<Int64> = 1...1

    package var sdkVersion = "1.0"
    /// The newest supported version of the link.
    package var linkVersion = Self.linkVersions.upperBound
    package var oldestLinkVersion = Self.linkVersions.lowerBound
    /// The identifier of the media-sharing protocol; for other extension points that of the point.
    package var protocolIdentifier: String
    package var supportsSimultaneousSessions: Bool

    package init(protocolIdentifier: String, supportsSimultaneousSessions: Bool) {
        self.protocolIdentifier = protocolIdentifier
        self.supportsSimultaneousSessions = supportsSimultaneousSessions
    }

    /// Sends the greeting, which must be the first message to the host.
    ///
    /// - Returns: The host's answer.
    /// - Throws: ``LinkGreetingError``, or ``DBusError`` if the link breaks before the host's welcome.
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

/// The host's answer to a greeting.
package struct LinkWelcome: Codable, Sendable, Hashable {
    /// The newest version of the link that both sides support.
    package var linkVersion: Int64
    /// The number of times the host has started this extension.
    package var generation: Int64
    /// The host's name, which devices may show.
    package var name: String
    /// The folder in which the extension may write; empty for none.
    package var stateDirectory: String
}

/// An error of the greeting between an extension and its host.
package enum LinkGreetingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The host uses a version of the link that this SDK doesn't support.
    case unknownLinkVersion(Int64)
    /// The host didn't answer `Hello`, or not as expected.
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
    /// Creates a description of the peer of a link.
    package convenience init(peerOf connection: DBusConnection) async {
        let credentials = await connection.peerCredentials
        self.init(
            processIdentifier: credentials?.processID ?? 0, effectiveUserIdentifier: credentials?.userID ?? .max,
            effectiveGroupIdentifier: credentials?.groupID ?? .max)
    }

    /// A Boolean value that indicates whether the peer runs as this process's user or as root.
    package var isOfSameUser: Bool { effectiveUserIdentifier == getuid() || effectiveUserIdentifier == 0 }
}
