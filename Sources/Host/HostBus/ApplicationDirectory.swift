import DBus
import HostCore
import HostInterface
import Synchronization

/// Media apps that registered to be told when a person routes their media (`org.mdhost.RouteObserver1`).
final class ApplicationDirectory: Sendable {
    /// What an app declares in its `Info.plist`.
    struct Declaration: Codable, Sendable, Hashable {
        var identifier: String
        var name: String
        /// Keys of `MDESupportedProtocols`.
        var protocols: [String]
        /// `MDESupportsUniversalURLPlayback`.
        var universalURLPlayback: Bool

        func supports(_ device: HostDevice) -> Bool {
            way(to: device) != nil
                || (universalURLPlayback && device.description.capabilities.contains(.urlPlayback))
        }

        /// Protocol and its name by which the app would reach a device that may be reached by several; `nil` for none.
        func way(to device: HostDevice) -> (protocol: String, name: String)? {
            let ways =
                [(device.protocolIdentifier, device.protocolName)]
                + device.parts.filter { $0.availability != DevicePart.absent }.map { ($0.protocol, $0.protocolName) }
            return ways.first { protocols.contains($0.0) }
        }
    }

    private struct Application {
        let client: DBusClient
        let path: String
        let declaration: Declaration
    }

    private let applications = Mutex<[Application]>([])
    private let server: DBusObjectServer
    /// How long an app may take to start or stop its playback before the event counts as not handled.
    private static let limit = Duration.seconds(60)

    init(server: DBusObjectServer) { self.server = server }

    func register(_ client: DBusClient, path: String, _ declaration: Declaration) {
        applications.withLock { applications in
            applications.removeAll { $0.client == client && $0.path == path }
            applications.append(Application(client: client, path: path, declaration: declaration))
        }
    }

    func unregister(_ client: DBusClient, path: String? = nil) {
        applications.withLock { applications in
            applications.removeAll { $0.client == client && (path == nil || $0.path == path) }
        }
    }

    var declarations: [Declaration] { applications.withLock { $0.map(\.declaration) } }

    /// Tells the app that the person picked or dropped the device.
    ///
    /// - Parameter identifier: The app; empty for the one registered last that supports the device.
    /// - Returns: Whether the app handled it.
    /// - Throws: ``HostError`` `not-supported` where no such app supports the device.
    func tell(_ reason: String, device: HostDevice, application identifier: String) async throws -> Bool {
        let application = applications.withLock { applications in
            applications.last {
                (identifier.isEmpty || $0.declaration.identifier == identifier) && $0.declaration.supports(device)
            }
        }
        guard let application else {
            throw HostError(
                .notSupported,
                identifier.isEmpty
                    ? "No running app can send its media to \(device.description.name)."
                    : "\(identifier) does not run or cannot send its media to \(device.description.name).")
        }
        let way = application.declaration.way(to: device) ?? (device.protocolIdentifier, device.protocolName)
        do {
            let reply = try await server.call(
                application.client, path: application.path, interface: HostNames.observerInterface,
                member: "HandleEvent",
                [
                    .string(reason), .objectPath(HostNames.devicePath(device.id)),
                    .dictionary(
                        key: "s", value: "v",
                        [
                            .string("name"): .variant(.string(device.description.name)),
                            .string("type"): .variant(.string(device.description.type)),
                            .string("protocol"): .variant(.string(way.protocol)),
                            .string("protocolName"): .variant(.string(way.name)),
                        ]),
                ], timeout: Self.limit)
            return reply.first?.asBool ?? false
        } catch {
            throw HostError(error)
        }
    }
}
