package import DBus
import DeviceDiscovery
import ExtensionFoundation
import ExtensionProgram
import Foundation
import HostInterface
import LinkProtocol
import PlaybackMirroring

/// The extension's side of one link, from the greeting to its end.
///
/// Requests reach the author's code on the main actor, one at a time, in wire order. Each is answered when the author's
/// method returns or, if the host may end the process next, when the tasks that it started have ended too. Events of
/// browsers bypass the main actor and keep their order per browser.
@MainActor
package final class ExtensionRuntime {
    private struct Delivery: Sendable {
        let request: ExtensionCall
        let answer: Answer
    }

    /// The way in which a request is answered.
    private enum Answer {
        case reply(DBusMethodCall)
        case channel(@Sendable (HostError?) -> Void)

        func succeed(_ values: [DBusValue] = []) {
            switch self {
            case .reply(let call): call.reply(values)
            case .channel(let answer): answer(nil)
            }
        }

        func fail(_ error: HostError) {
            switch self {
            case .reply(let call): call.fail(error.asDBusError)
            case .channel(let answer): answer(error)
            }
        }
    }

    private static let point = "com.apple.media-device-extension"

    private let connection: DBusConnection
    private let outbox = HostOutbox()
    /// The source of discovery over this link.
    package let discoverySource: LinkDiscoverySource
    /// The source of Bluetooth over this link.
    package let centralSource: LinkCentralSource

    /// Creates a runtime.
    ///
    /// - Parameter connection: The open link, in the client role.
    package init(connection: DBusConnection) {
        self.connection = connection
        discoverySource = LinkDiscoverySource(outbox: outbox)
        centralSource = LinkCentralSource(outbox: outbox)
    }

    /// Creates the extension and serves the link until it closes.
    ///
    /// - Throws: ``LinkGreetingError``, `AppExtensionError`, or ``DBusError`` if the link breaks before the host's
    ///   welcome.
    package func run(_ makeExtension: @MainActor () -> any MediaDeviceExtension) async throws {
        let `extension` = makeExtension()
        let point = `extension`.extensionPoint
        guard point.identifier.map({ $0.rawValue == Self.point }) ?? true else {
            throw AppExtensionError.unservedExtensionPoint(point)
        }
        let manager = MediaDeviceRoutingManager.routingManager(for: `extension`)
        defer {
            manager.disconnect()
            discoverySource.close()
            centralSource.close()
        }
        guard `extension`.configuration.accept(connection: await NSXPCConnection(peerOf: connection)) else {
            throw AppExtensionError.connectionRefused
        }
        let requests = try await exportLink()
        try await sayHello(for: `extension`, manager)

        manager.connect(to: outbox) { ExtensionRequestHandler.readVolume(of: $0, from: `extension`) }
        manager.sessions.channels.deliver = { requests.yield(Delivery(request: $0, answer: .channel($1))) }
        // Ends with the outbox.
        Task { [outbox, connection] in await outbox.deliver(to: connection) }

        let handler = ExtensionRequestHandler(extension: `extension`, manager: manager)
        for await delivery in requests.elements {
            do throws(HostError) {
                guard delivery.request.isFarewell else {
                    delivery.answer.succeed(try handler.perform(delivery.request))
                    continue
                }
                try StartedWork.run {
                    () throws(HostError) in
                    _ = try handler.perform(delivery.request)
                } whenOver: {
                    delivery.answer.succeed()
                }
            } catch {
                delivery.answer.fail(error)
            }
        }
    }

    /// Exports the extension's interface.
    ///
    /// - Returns: The host's requests in wire order. They end with the link.
    private func exportLink() async throws -> Mailbox<Delivery> {
        let requests = Mailbox<Delivery>()
        let interface = DBusInterface(
            HostNames.extensionLinkInterface,
            methods: ExtensionCall.Member.allCases.map { member in
                DBusMethod(member.rawValue, in: member.arguments, out: member.results) {
                    [discoverySource, centralSource] call in
                    do throws(MalformedMessage) {
                        let request = try ExtensionCall(member, call.arguments)
                        switch request {
                        case .browserEvents(let browser, let events): discoverySource.deliver(events, to: browser)
                        case .announcementEvents(let number, let events): discoverySource.deliver(events, to: number)
                        case .bluetoothAnswers(let order, let answers): discoverySource.deliver(answers, to: order)
                        case .centralEvents(let manager, let events): centralSource.deliver(events, to: manager)
                        default: return requests.yield(Delivery(request: request, answer: .reply(call)))
                        }
                        call.reply()
                    } catch {
                        call.fail(DBusError(name: DBusError.Name.invalidArguments, message: error.reason))
                    }
                }
            })
        let server = DBusObjectServer(loop: connection.loop, objectManagerPath: HostNames.rootPath)
        try await server.add(path: HostNames.extensionLinkPath, [(interface, [:])])
        try await server.attach(connection)
        Task { [connection] in
            await connection.waitUntilClosed()
            // Holds the objects for as long as the link lives.
            _ = server
            requests.finish()
        }
        return requests
    }

    private func sayHello(for extension: any MediaDeviceExtension, _ manager: MediaDeviceRoutingManager) async throws {
        let welcome = try await LinkGreeting(
            protocolIdentifier: `extension`.protocolType.identifier,
            supportsSimultaneousSessions: `extension`.supportsSimultaneousSessions,
            handlesRealtimeSamples: `extension` is any RealtimeSampleHandling,
            readsMedia: `extension` is any MediaReading
        ).exchange(on: connection)
        manager.hostName = welcome.name
        if !welcome.stateDirectory.isEmpty {
            manager.stateDirectory = URL(fileURLWithPath: welcome.stateDirectory, isDirectory: true)
        }
    }
}
