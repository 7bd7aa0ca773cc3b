import DBus
import DeviceDiscovery
import ExtensionFoundation
import Foundation
import HostInterface
import PlaybackMirroring

/// Why an extension cannot serve its link.
package enum ExtensionRuntimeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The host speaks a version of the link that this SDK does not know.
    case unknownLinkVersion(Int64)
    /// The host did not answer `Hello`, or not in its terms.
    case noWelcome(String)
    /// The extension's own configuration does not accept the host.
    case connectionRefused

    package var description: String {
        switch self {
        case .unknownLinkVersion(let version):
            "the host speaks version \(version) of the link and this extension version "
                + "\(LinkGreeting.linkVersions.upperBound): build it again with the host's SDK"
        case .noWelcome(let reason): "the host did not welcome the extension: \(reason)"
        case .connectionRefused: "the extension refused the connection of its host"
        }
    }
}

/// The extension's side of one link, from hello to its end.
///
/// Requests reach the author's code on the main actor, one at a time, in wire order; each is answered when the author's
/// method returns, or, where the host may end the process next, when the tasks it started are over too. Events of browsers bypass the main actor and keep their order per browser.
@MainActor
package final class ExtensionRuntime {
    private struct Delivery: Sendable {
        let request: ExtensionRequest
        let call: DBusMethodCall
    }

    private let connection: DBusConnection
    private let outbox = HostOutbox()
    /// Browses over this link.
    package let discoverySource: LinkDiscoverySource

    /// - Parameter connection: The open link, client role.
    package init(connection: DBusConnection) {
        self.connection = connection
        discoverySource = LinkDiscoverySource(outbox: outbox)
    }

    /// Makes the extension and serves the link until it is closed.
    ///
    /// - Throws: ``ExtensionRuntimeError``, or ``DBusError`` when the link breaks before the host's welcome.
    package func run(_ makeExtension: @MainActor () -> any MediaDeviceExtension) async throws {
        let `extension` = makeExtension()
        let manager = MediaDeviceRoutingManager.routingManager(for: `extension`)
        defer {
            manager.disconnect()
            discoverySource.close()
        }
        guard `extension`.configuration.accept(connection: await hostConnection()) else {
            throw ExtensionRuntimeError.connectionRefused
        }
        let requests = try await exportLink()
        try await sayHello(for: `extension`, manager)

        manager.connect(to: outbox) { ExtensionRequestHandler.readVolume(of: $0, from: `extension`) }
        let delivery = Task { [outbox, connection] in await outbox.deliver(to: connection) }
        defer { delivery.cancel() }

        let handler = ExtensionRequestHandler(extension: `extension`, manager: manager)
        for await delivery in requests {
            do throws(HostError) {
                guard delivery.request.isFarewell else {
                    delivery.call.reply(try handler.perform(delivery.request))
                    continue
                }
                try StartedWork.run {
                    () throws(HostError) in
                    _ = try handler.perform(delivery.request)
                } whenOver: {
                    delivery.call.reply()
                }
            } catch {
                delivery.call.fail(error.asDBusError)
            }
        }
    }

    /// - Returns: The host's requests, in wire order, ending with the link.
    private func exportLink() async throws -> AsyncStream<Delivery> {
        let (requests, continuation) = AsyncStream.makeStream(of: Delivery.self)
        let interface = ExtensionLinkInterface.make { [discoverySource] call in
            do throws(DBusError) {
                if call.member == ExtensionLinkInterface.browserEvents {
                    try discoverySource.deliver(call.arguments)
                    call.reply()
                } else {
                    let request = try ExtensionRequest(member: call.member, arguments: call.arguments)
                    continuation.yield(Delivery(request: request, call: call))
                }
            } catch {
                call.fail(error)
            }
        }
        let server = DBusObjectServer(loop: connection.loop, objectManagerPath: HostNames.rootPath)
        try await server.add(path: HostNames.extensionLinkPath, [(interface, [:])])
        try await server.attach(connection)
        Task { [connection] in
            await connection.waitUntilClosed()
            // Holds the objects for as long as the link lives.
            _ = server
            continuation.finish()
        }
        return requests
    }

    private func sayHello(for extension: any MediaDeviceExtension, _ manager: MediaDeviceRoutingManager) async throws {
        let greeting = LinkGreeting(
            protocolIdentifier: `extension`.protocolType.identifier,
            supportsSimultaneousSessions: `extension`.supportsSimultaneousSessions)
        let reply = try await connection.call(
            nil, path: HostNames.hostLinkPath, interface: HostNames.hostLinkInterface, member: "Hello",
            [try DBusDictionaryEncoder().encode(greeting)])
        guard let answer = reply.first else { throw ExtensionRuntimeError.noWelcome("the answer is empty") }
        let welcome: LinkWelcome
        do {
            welcome = try DBusDictionaryDecoder().decode(LinkWelcome.self, from: answer)
        } catch {
            throw ExtensionRuntimeError.noWelcome("\(error)")
        }
        guard LinkGreeting.linkVersions.contains(welcome.linkVersion) else {
            throw ExtensionRuntimeError.unknownLinkVersion(welcome.linkVersion)
        }
        manager.hostName = welcome.name
        if !welcome.stateDirectory.isEmpty {
            manager.stateDirectory = URL(fileURLWithPath: welcome.stateDirectory, isDirectory: true)
        }
    }

    private func hostConnection() async -> NSXPCConnection {
        let credentials = await connection.peerCredentials
        return NSXPCConnection(
            processIdentifier: credentials?.processID ?? 0, effectiveUserIdentifier: credentials?.userID ?? .max,
            effectiveGroupIdentifier: credentials?.groupID ?? .max)
    }
}
