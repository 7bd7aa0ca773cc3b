import DBus
import Foundation
import HostClient
import HostInterface
import TypeIdentifiers

/// This process's connection to the daemon for all its sessions. It is made when there is something to show, and again
/// after the daemon exits.
actor NowPlayingService: SessionPublisher {
    static let shared = NowPlayingService()

    /// The path below which each session has an object for the daemon's calls.
    static let handlersPath = "/org/mdhost/client/media"

    /// The delay before each attempt to publish again. The first follows at once, because it succeeds if the daemon was
    /// just exiting.
    private static let retryDelays: [Duration] = [.zero] + [0.25, 0.5, 1, 2, 4, 8, 16].map { .seconds($0) }

    private struct Publication {
        let link: SessionLink
        let handler: String
        var state: MediaSessionState
        /// The path of the session on the current connection.
        var path: String?
    }

    private let information: ProgramInformation
    private let makeClient: @Sendable () async throws(HostError) -> HostClient
    private var publications: [UUID: Publication] = [:]
    private var sending: [UUID: Task<Void, any Error>] = [:]
    private var lastHandler = 0
    /// A Boolean value that indicates whether the app wants to be system primary but has no published session yet.
    private var isClaimed = false
    private var client: HostClient?
    private var server: DBusObjectServer?
    private let connecting = SharedAttempt<HostClient>()
    private var returning: Task<Void, Never>?

    /// Creates a service that isn't connected yet.
    ///
    /// - Parameters:
    ///   - information: The app's description of itself.
    ///   - connect: A function that connects to the daemon and starts it if necessary.
    init(
        information: ProgramInformation = .current,
        connect: @escaping @Sendable () async throws(HostError) -> HostClient = { () async throws(HostError) in
            try await HostClient.connect()
        }
    ) {
        self.information = information
        makeClient = connect
    }

    // MARK: Sessions

    /// Registers or updates a session. A session isn't registered before it has content for the first time.
    func publish(_ state: MediaSessionState, of link: SessionLink, isUrgent: Bool) async throws(HostError) {
        if publications[link.id] == nil {
            guard state.content != nil else { return }
            lastHandler += 1
            publications[link.id] = Publication(
                link: link, handler: "\(Self.handlersPath)/\(lastHandler)", state: state, path: nil)
        }
        publications[link.id]?.state = state
        guard isUrgent || client != nil || returning == nil else {
            throw HostError(.hostUnavailable, "The daemon isn't running. Trying again.")
        }
        do {
            try await send(link.id, to: connected())
        } catch {
            if client == nil { beginReturning() }
            throw error
        }
    }

    func request(_ member: String, of link: SessionLink) async throws(HostError) {
        let client = try await connected()
        guard let path = publications[link.id]?.path else {
            throw HostError(.notSupported, "The session has nothing to show.")
        }
        try await client.call(path, interface: HostNames.mediaInterface, member)
    }

    /// Requests to become system primary once, with the session that is application primary.
    func setClaim(_ isClaimed: Bool) async {
        self.isClaimed = isClaimed
        await fulfilClaim()
    }

    private func fulfilClaim() async {
        guard isClaimed, let client else { return }
        var path: String?
        for publication in publications.values {
            guard let candidate = publication.path else { continue }
            let speaks = await publication.link.currentTarget?.isApplicationPrimary ?? false
            if speaks || path == nil { path = candidate }
        }
        guard isClaimed, let path else { return }
        isClaimed = false
        // In the background the request has no effect, which is no error; a session that is gone needs no answer.
        _ = try? await client.call(path, interface: HostNames.mediaInterface, "RequestSystemPrimary")
    }

    func withdraw(_ id: UUID) async {
        guard let publication = publications.removeValue(forKey: id) else { return }
        if let path = publication.path, let client {
            _ = try? await client.call(path, interface: HostNames.mediaInterface, "Withdraw")
        }
        await server?.remove(path: publication.handler)
        // Without a session this process has no business with the daemon, which may leave when idle.
        if publications.isEmpty { await disconnect() }
    }

    /// Sends a session's state after the state before, so that no session is registered twice.
    private func send(_ id: UUID, to client: HostClient) async throws(HostError) {
        let earlier = sending[id]
        let task = Task {
            _ = await earlier?.result
            try await sendNow(id, to: client)
        }
        sending[id] = task
        defer { if sending[id] == task { sending[id] = nil } }
        do {
            try await task.value
        } catch {
            throw error as? HostError ?? HostError(.internalFailure, "\(error)")
        }
    }

    private func sendNow(_ id: UUID, to client: HostClient) async throws(HostError) {
        guard let publication = publications[id], self.client === client else { return }
        let state = try Self.value(publication.state)
        if let path = publication.path {
            try await client.call(path, interface: HostNames.mediaInterface, "Update", [state])
            return
        }
        try await addHandler(publication)
        let reply = try await client.call(
            HostNames.nowPlayingPath, interface: HostNames.nowPlayingInterface, "RegisterSession",
            [.objectPath(publication.handler), .options(declaration(publication.link)), state])
        let path = reply.first?.asString ?? ""
        guard publications[id] != nil else {
            _ = try? await client.call(path, interface: HostNames.mediaInterface, "Withdraw")
            return
        }
        publications[id]?.path = path
        await fulfilClaim()
        // It may have changed while it was registered.
        if publications[id]?.state != publication.state { try await sendNow(id, to: client) }
    }

    private func declaration(_ link: SessionLink) -> [String: DBusValue] {
        let name = ProcessInfo.processInfo.processName
        return [
            "identifier": .string(information.bundleIdentifier ?? name),
            "name": .string(information.displayName ?? name),
        ]
    }

    private static func value(_ state: MediaSessionState) throws(HostError) -> DBusValue {
        do {
            return try DBusDictionaryEncoder().encode(state)
        } catch {
            throw HostError(.invalidArgument, "The session cannot be published: \(error.message)")
        }
    }

    // MARK: The connection

    private func connected() async throws(HostError) -> HostClient {
        if let client { return client }
        return try await connecting.value { try await self.connect() }
    }

    private func connect() async throws -> HostClient {
        let client = try await makeClient()
        let server = DBusObjectServer(loop: client.connection.loop, objectManagerPath: Self.handlersPath)
        try await server.attach(client.connection)
        self.client = client
        self.server = server
        Task { [weak self] in
            await client.connection.waitUntilClosed()
            await self?.disconnected(client)
        }
        return client
    }

    private func addHandler(_ publication: Publication) async throws(HostError) {
        do {
            await server?.remove(path: publication.handler)
            try await server?.add(path: publication.handler, [(SessionHandler(publication.link).interface, [:])])
        } catch {
            throw HostError(error)
        }
    }

    private func disconnect() async {
        let client = client
        (self.client, server) = (nil, nil)
        returning?.cancel()
        returning = nil
        await client?.close()
    }

    private func disconnected(_ client: HostClient) async {
        guard self.client === client else { return }
        (self.client, server) = (nil, nil)
        for id in publications.keys { publications[id]?.path = nil }
        for publication in publications.values {
            await publication.link.currentTarget?.setRoles(isApplicationPrimary: false, isSystemPrimary: false)
        }
        beginReturning()
    }

    /// Publishes all sessions again. It tries for half a minute, and after that whenever a session changes.
    private func beginReturning() {
        guard returning == nil, !publications.isEmpty else { return }
        returning = Task { [weak self] in
            for delay in Self.retryDelays {
                guard (try? await Task.sleep(for: delay)) != nil, let self, await !self.publishAll() else { break }
            }
            await self?.endReturning()
        }
    }

    private func endReturning() { returning = nil }

    /// Publishes the sessions that the daemon doesn't have.
    ///
    /// - Returns: `true` if every session with content is published.
    private func publishAll() async -> Bool {
        do throws(HostError) {
            for (id, publication) in publications where publication.state.content != nil && publication.path == nil {
                try await send(id, to: try await connected())
            }
            return true
        } catch {
            return false
        }
    }
}
