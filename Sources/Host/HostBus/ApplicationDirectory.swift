import DBus
import HostCore
import HostInterface
import Synchronization

/// The media apps that registered for route events (`org.mdhost.RouteObserver1`).
final class ApplicationDirectory: ApplicationPort {
    private struct Application {
        let client: DBusClient
        let path: String
        let declaration: ApplicationDeclaration
        /// `nil` if it isn't known.
        let processID: Int32?
    }

    private let applications = Mutex<[Application]>([])
    private let server: DBusObjectServer
    /// The time limit for an app to start or stop playback. After it the event counts as not handled.
    private static let limit = Duration.seconds(60)

    init(server: DBusObjectServer) { self.server = server }

    func register(
        _ client: DBusClient, path: String, _ declaration: ApplicationDeclaration, processID: Int32?
    ) {
        applications.withLock { applications in
            applications.removeAll { $0.client == client && $0.path == path }
            applications.append(
                Application(client: client, path: path, declaration: declaration, processID: processID))
        }
    }

    /// Removes the apps of a client.
    ///
    /// - Returns: The identifiers of the apps without any remaining program.
    func unregister(_ client: DBusClient, path: String? = nil) -> Set<String> {
        applications.withLock { applications in
            let leaving = applications.filter { $0.client == client && (path == nil || $0.path == path) }
            applications.removeAll { $0.client == client && (path == nil || $0.path == path) }
            return Set(leaving.map(\.declaration.identifier))
                .subtracting(applications.map(\.declaration.identifier))
        }
    }

    var declarations: [ApplicationDeclaration] { applications.withLock { $0.map(\.declaration) } }

    /// Returns the client's app; `nil` if the client isn't an app.
    func declaration(of client: DBusClient) -> ApplicationDeclaration? {
        applications.withLock { $0.last { $0.client == client }?.declaration }
    }

    /// Returns the app that a client means: its own if it names none.
    ///
    /// - Parameter word: The identifier or the name.
    /// - Throws: ``HostError`` `not-supported` if no such app is running.
    func application(_ word: String, of client: DBusClient) throws(HostError) -> ApplicationDeclaration {
        if word.isEmpty {
            guard let own = declaration(of: client) else {
                throw HostError(.notSupported, "The program isn't registered as a media app.")
            }
            return own
        }
        guard let application = declarations.last(where: { $0.identifier == word || $0.name == word }) else {
            throw HostError(.notSupported, "No app “\(word)” is running.")
        }
        return application
    }

    /// Returns the app that a person chose.
    ///
    /// - Parameter identifier: The app's identifier or name; empty for the last registered one that supports the
    ///   device.
    /// - Throws: ``HostError`` `not-supported` if no matching app supports the device.
    func application(_ identifier: String, for device: HostDevice) throws(HostError) -> ApplicationDeclaration {
        let known = declarations
        let meant = known.filter { identifier.isEmpty || $0.identifier == identifier || $0.name == identifier }
        if let application = meant.last(where: { $0.supports(device) }) { return application }
        let name = device.description.name
        guard let application = meant.last else {
            throw HostError(
                .notSupported,
                identifier.isEmpty
                    ? "No running app can send its media anywhere." : "No app “\(identifier)” is running.")
        }
        throw HostError(
            .notSupported,
            identifier.isEmpty
                ? "No running app can send its media to \(name)."
                : "\(application.name) cannot send its media to \(name): its MDESupportedProtocols does not name "
                    + "\(device.protocolIdentifier).")
    }

    // MARK: ApplicationPort

    func isConnected(_ application: String) -> Bool {
        applications.withLock { $0.contains { $0.declaration.identifier == application } }
    }

    func processIDs(of application: String) -> Set<Int32> {
        applications.withLock { applications in
            Set(applications.filter { $0.declaration.identifier == application }.compactMap(\.processID))
        }
    }

    func tell(_ event: ApplicationRouteEvent) async throws(HostError) -> ApplicationAnswer {
        let application = applications.withLock { $0.last { $0.declaration.identifier == event.application } }
        guard let application else { throw HostError(.hostUnavailable, "\(event.application) is no longer running.") }
        do {
            let reply = try await server.call(
                application.client, path: application.path, interface: HostNames.observerInterface,
                member: "HandleEvent",
                [
                    .string(event.reason.rawValue), .objectPath(HostNames.devicePath(event.device)),
                    .dictionary(
                        key: "s", value: "v",
                        [
                            .string("name"): .variant(.string(event.name)),
                            .string("type"): .variant(.string(event.type)),
                            .string("protocol"): .variant(.string(event.protocolIdentifier)),
                            .string("protocolName"): .variant(.string(event.protocolName)),
                        ]),
                ], timeout: Self.limit)
            // Apps with an earlier SDK tell no problem.
            let problem = reply.count > 1 ? reply[1].asString.flatMap(ApplicationProblem.init)?.sentence : nil
            return ApplicationAnswer(isHandled: reply.first?.asBool ?? false, problem: problem)
        } catch {
            let error = HostError(error)
            switch error.code {
            case .timedOut:
                throw HostError(.timedOut, "\(application.declaration.name) did not answer in time.")
            case .hostUnavailable:
                throw HostError(.sessionFailed, "\(application.declaration.name) ended before it answered.")
            default: throw error
            }
        }
    }
}

/// A problem in an app, as the app reported it.
struct ApplicationProblem {
    /// In characters: it is shown in one line.
    private static let limit = 500

    let sentence: String

    /// `nil` for an empty report.
    init?(_ text: String) {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ").prefix(Self.limit)
        guard !line.isEmpty else { return nil }
        sentence = String(line)
    }
}
