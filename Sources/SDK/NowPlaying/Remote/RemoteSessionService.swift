import DBus
import Foundation
import HostClient
import HostInterface
import TypeIdentifiers

/// This process's connection to the daemon for its remote sessions. It is made on first use, and again after it broke.
actor RemoteSessionService {
    static let shared = RemoteSessionService()
    /// The token with which servers start a session of this app.
    @MainActor static let startToken = PushTokenHolder()

    private static let retryDelays: [Duration] = [.zero] + [0.25, 0.5, 1, 2, 4, 8, 16].map { .seconds($0) }

    private struct WeakPlace: Sendable {
        weak var value: RemoteSessionPlace?
    }

    private let application: String
    private let name: String
    private let makeClient: @Sendable () async throws(HostError) -> HostClient
    private var client: HostClient?
    private let connecting = SharedAttempt<HostClient>()
    private var following: Task<Void, Never>?
    private var places: [String: WeakPlace] = [:]
    private var systemPrimary: String?
    private var wantsStartToken = false

    init(
        information: ProgramInformation = .current,
        connect: @escaping @Sendable () async throws(HostError) -> HostClient = { () async throws(HostError) in
            try await HostClient.connect()
        }
    ) {
        let process = ProcessInfo.processInfo.processName
        application = information.bundleIdentifier ?? process
        name = information.displayName ?? process
        makeClient = connect
    }

    /// Performs an operation of the shared service and converts its errors to those of the SDK.
    static func translating<Value: Sendable>(
        _ body: @Sendable (RemoteSessionService) async throws(HostError) -> Value
    ) async throws(RemoteMediaSessionError) -> Value {
        do {
            return try await body(shared)
        } catch {
            throw error.code == .invalidArgument ? .invalidAttributes : .internalFailure
        }
    }

    /// Requests the push-to-start token and follows its changes.
    @MainActor
    static func followStartToken() {
        Task { await shared.followStartToken() }
    }

    func start(_ id: String, _ attributes: Data) async throws(HostError) -> RemoteSessionPlace {
        let reply = try await ask(
            "StartRemoteSession",
            [
                .options(["identifier": .string(application), "name": .string(name)]), .string(id),
                .bytes([UInt8](attributes)),
            ])
        return await place(of: id, reply.first?.asString ?? "")
    }

    func update(_ id: String, _ attributes: Data) async throws(HostError) {
        try await ask("UpdateRemoteSession", [.string(application), .string(id), .bytes([UInt8](attributes))])
    }

    func end(_ id: String) async throws(HostError) {
        try await ask("EndRemoteSession", [.string(application), .string(id)])
    }

    func requestSystemPrimary(_ id: String) async throws(HostError) {
        try await ask("RequestRemoteSystemPrimary", [.string(application), .string(id)])
    }

    func sessions() async throws(HostError) -> [RemoteSessionPlace] {
        let reply = try await ask("RemoteSessions", [.string(application)])
        var places: [RemoteSessionPlace] = []
        for value in reply.first?.asArray ?? [] {
            guard case .structure(let fields) = value, fields.count == 2, let id = fields[0].asString,
                let path = fields[1].asString
            else { continue }
            places.append(await place(of: id, path))
        }
        return places
    }

    private func followStartToken() async {
        guard !wantsStartToken else { return }
        wantsStartToken = true
        await fetchStartToken()
    }

    private func fetchStartToken() async {
        guard let reply = try? await ask("PushToStartToken", [.string(application)]),
            let token = reply.first?.asBytes, !token.isEmpty
        else { return }
        await Self.startToken.set(Data(token))
    }

    // MARK: Roles and tokens from the daemon

    /// Returns the only object of a session.
    private func place(of id: String, _ path: String) async -> RemoteSessionPlace {
        if let place = places[path]?.value { return place }
        let place = await RemoteSessionPlace(session: id, path: path)
        // Another call may have made it meanwhile.
        if let place = places[path]?.value { return place }
        places[path] = WeakPlace(value: place)
        await place.setSystemPrimary(systemPrimary == path)
        return place
    }

    private func take(_ event: HostEvent) async {
        guard case .nowPlaying(let nowPlaying) = event else { return }
        systemPrimary = nowPlaying.systemPrimary
        places = places.filter { $0.value.value != nil }
        for (path, place) in places { await place.value?.setSystemPrimary(path == systemPrimary) }
    }

    // MARK: The connection

    @discardableResult
    private func ask(_ member: String, _ arguments: [DBusValue]) async throws(HostError) -> [DBusValue] {
        try await connected().call(
            HostNames.nowPlayingPath, interface: HostNames.nowPlayingInterface, member, arguments)
    }

    private func connected() async throws(HostError) -> HostClient {
        if let client { return client }
        return try await connecting.value { try await self.connect() }
    }

    private func connect() async throws -> HostClient {
        let client = try await makeClient()
        let events = try await client.events()
        let tokens = try await client.connection.signals(pathNamespace: HostNames.nowPlayingPath)
        self.client = client
        Task { [weak self] in
            for await event in events { await self?.take(event) }
            await self?.disconnected(client)
        }
        Task { [weak self] in
            for await signal in tokens where signal.member == "PushToStartTokenChanged" {
                await self?.takeToken(signal.arguments)
            }
        }
        return client
    }

    private func takeToken(_ arguments: [DBusValue]) async {
        guard wantsStartToken, arguments.count == 2, arguments[0].asString == application,
            let token = arguments[1].asBytes
        else { return }
        await Self.startToken.set(Data(token))
    }

    private func disconnected(_ client: HostClient) async {
        guard self.client === client else { return }
        self.client = nil
        systemPrimary = nil
        for place in places.values { await place.value?.setSystemPrimary(false) }
        guard following == nil, wantsStartToken || places.values.contains(where: { $0.value != nil }) else { return }
        following = Task { [weak self] in
            for delay in Self.retryDelays {
                guard (try? await Task.sleep(for: delay)) != nil, let self, await !self.isBack() else { break }
            }
            await self?.endFollowing()
        }
    }

    /// Reconnects to a daemon that was replaced, which still has the sessions.
    ///
    /// - Returns: `true` if the connection is back.
    private func isBack() async -> Bool {
        guard (try? await connected()) != nil else { return false }
        if wantsStartToken { await fetchStartToken() }
        return true
    }

    private func endFollowing() { following = nil }
}
