package import DBus
package import ExtensionFoundation
import Foundation
import HostInterface
package import LinkProtocol

extension LinkGreeting {
    /// Sends the greeting, which must be the first message to the host.
    ///
    /// - Returns: The host's answer.
    /// - Throws: ``LinkGreetingError``, or ``DBusError`` if the link breaks before the host's welcome.
    package func exchange(on connection: DBusConnection) async throws -> LinkWelcome {
        let reply = try await connection.call(
            nil, path: HostNames.hostLinkPath, interface: HostNames.hostLinkInterface, member: Self.member,
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

/// An error of the greeting between an extension and its host.
package enum LinkGreetingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The host uses a version of the link that this SDK doesn't support.
    case unknownLinkVersion(Int)
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
