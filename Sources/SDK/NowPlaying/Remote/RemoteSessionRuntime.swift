import DBus
import ExtensionFoundation
import ExtensionProgram
import Foundation
import HostInterface
import LinkProtocol

/// The extension's side of one link: it opens sessions for the host and publishes the changes of their models.
@MainActor
final class RemoteSessionRuntime {
    private nonisolated let connection: DBusConnection
    private let server: DBusObjectServer
    private var sessions: [String: any OpenSession] = [:]
    /// The sessions that are being created, so that none is created twice.
    private var opening: [String: Task<any OpenSession, any Error>] = [:]
    private var lastNumber = 0

    /// Creates a runtime.
    ///
    /// - Parameter connection: The open link, in the client role.
    init(connection: DBusConnection) {
        self.connection = connection
        server = DBusObjectServer(loop: connection.loop, objectManagerPath: HostNames.extensionLinkPath)
    }

    /// Serves the link until it closes.
    ///
    /// - Throws: ``LinkGreetingError``, or ``DBusError`` if the link breaks before the host's welcome.
    func run<Extension: RemoteMediaSessionExtension>(_ extension: Extension) async throws
    where
        Extension.Session: RemoteMediaSessionRepresentable, Extension.Attributes: RemoteMediaSessionAttributes,
        Extension.Session.Attributes == Extension.Attributes
    {
        guard `extension`.configuration.accept(connection: await NSXPCConnection(peerOf: connection)) else {
            throw AppExtensionError.connectionRefused
        }
        let link = RemoteSessionLink(runtime: self) { [unowned self] id, attributes in
            try await makeSession(id, attributes, by: `extension`)
        }
        try await server.add(
            path: HostNames.extensionLinkPath, [(link.interface, [:]), (RemoteSessionLink.heartbeat, [:])])
        try await server.attach(connection)
        _ = try await LinkGreeting(
            protocolIdentifier: RemoteMediaPoint.identifier, supportsSimultaneousSessions: true
        ).exchange(on: connection)
        await connection.waitUntilClosed()
        sessions = [:]
    }

    // MARK: Requests of the host

    /// Opens a session, or updates the open session with this identifier.
    ///
    /// - Returns: The path of the session's `org.mdhost.MediaSessionHandler1`.
    func open(
        _ id: String, _ attributes: Data, token: Data,
        _ make: @escaping @MainActor (String, Data) async throws -> any OpenSession
    ) async throws -> String {
        if let session = sessions[id] {
            try session.update(attributes)
            PushTokens.shared.holder(of: id).set(token)
            return session.path
        }
        let task = opening[id] ?? Task { try await make(id, attributes) }
        opening[id] = task
        defer { if opening[id] == task { opening[id] = nil } }
        let session = try await task.value
        if sessions[id] == nil {
            sessions[id] = session
            session.begin()
        }
        PushTokens.shared.holder(of: id).set(token)
        return session.path
    }

    func update(_ id: String, _ attributes: Data) throws {
        guard let session = sessions[id] else { throw Self.gone(id) }
        try session.update(attributes)
    }

    func close(_ id: String) async {
        opening.removeValue(forKey: id)?.cancel()
        PushTokens.shared.forget(id)
        guard let session = sessions.removeValue(forKey: id) else { return }
        await server.remove(path: session.path)
    }

    func setToken(_ token: Data, _ id: String) throws {
        guard sessions[id] != nil else { throw Self.gone(id) }
        PushTokens.shared.holder(of: id).set(token)
    }

    private static func gone(_ id: String) -> HostError {
        HostError(.noSuchSession, "The extension has no session “\(id)”.")
    }

    private func makeSession<Extension: RemoteMediaSessionExtension>(
        _ id: String, _ attributes: Data, by extension: Extension
    ) async throws -> any OpenSession
    where
        Extension.Session: RemoteMediaSessionRepresentable, Extension.Attributes: RemoteMediaSessionAttributes,
        Extension.Session.Attributes == Extension.Attributes
    {
        let decoded = try Self.decode(Extension.Attributes.self, attributes, of: id)
        let representable = try await `extension`.session(decoded)
        guard representable.id == id else {
            throw HostError(
                .invalidArgument, "The extension returned session “\(representable.id)” for the attributes of “\(id)”.")
        }
        lastNumber += 1
        let path = HostNames.extensionLinkPath + "/session\(lastNumber)"
        let session = RemoteSession(representable, key: id, path: path, publisher: self)
        try await server.add(path: path, [(SessionHandler(session.link).interface, [:])])
        return session
    }

    /// Decodes the attributes of a session.
    ///
    /// - Throws: ``HostError`` `invalid-argument` if the attributes can't be decoded or belong to another session.
    static func decode<Attributes: RemoteMediaSessionAttributes>(
        _ type: Attributes.Type, _ data: Data, of id: String
    ) throws -> Attributes {
        let attributes: Attributes
        do {
            attributes = try RemoteSessionCoding.decode(type, from: data)
        } catch let error as DecodingError {
            throw HostError(.invalidArgument, RemoteSessionCoding.sentence(error))
        }
        guard attributes.id == id else {
            throw HostError(.invalidArgument, "The attributes are those of “\(attributes.id)”, not of “\(id)”.")
        }
        return attributes
    }
}

// MARK: Messages of sessions

extension RemoteSessionRuntime: SessionPublisher {
    private func identifier(of link: SessionLink) -> String? {
        sessions.first { $0.value.link === link }?.key
    }

    nonisolated func publish(
        _ state: MediaSessionState, of link: SessionLink, isUrgent: Bool
    ) async throws(HostError) {
        guard let id = await identifier(of: link) else { return }
        do {
            let message = ExtensionMessage.mediaSessionChanged(session: id, state: state)
            _ = try await connection.call(
                nil, path: HostNames.hostLinkPath, interface: HostNames.hostLinkInterface,
                member: message.member.rawValue, message.arguments())
        } catch {
            ExtensionLog.write("session \(id) cannot be shown: \(error)", label: "NowPlaying")
            throw HostError(error)
        }
    }

    nonisolated func request(_ member: String, of link: SessionLink) async throws(HostError) {
        throw HostError(.notSupported, "Only the app can request to become system primary.")
    }

    nonisolated func withdraw(_ id: UUID) async {}
}

/// A session with its model, independent of the model's type.
@MainActor
protocol OpenSession: AnyObject, Sendable {
    /// The path of the session's `org.mdhost.MediaSessionHandler1`.
    nonisolated var path: String { get }
    nonisolated var link: SessionLink { get }
    /// Starts to publish the model and its changes.
    func begin()
    /// Replaces the attributes.
    ///
    /// - Throws: ``HostError`` `invalid-argument`
    func update(_ attributes: Data) throws
}

@MainActor
private final class RemoteSession<Representable: RemoteMediaSessionRepresentable>: OpenSession
where Representable.Attributes: RemoteMediaSessionAttributes {
    nonisolated let path: String
    nonisolated var link: SessionLink { publication.link }
    private let key: String
    private let representable: Representable
    private let publication: SessionPublication

    init(_ representable: Representable, key: String, path: String, publisher: some SessionPublisher) {
        self.representable = representable
        self.key = key
        self.path = path
        publication = SessionPublication(clock: ContinuousClock(), link: SessionLink(publisher)) {
            SessionReading(
                content: representable.content, snapshot: representable.playbackSnapshot,
                commands: representable.commands, devices: representable.devices)
        }
    }

    func begin() { publication.begin() }

    func update(_ attributes: Data) throws {
        representable.update(try RemoteSessionRuntime.decode(Representable.Attributes.self, attributes, of: key))
    }
}
