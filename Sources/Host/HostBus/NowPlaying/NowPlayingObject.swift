import DBus
import HostCore
import HostInterface
import Synchronization

/// The `org.mdhost.NowPlaying1` interface, with which apps register sessions, and which has the primary session.
final class NowPlayingObject: Sendable {
    /// A function that returns `true` for a process in the foreground.
    typealias Foreground = @Sendable (_ processID: Int32) -> Bool

    private let nowPlaying: NowPlaying
    private let server: DBusObjectServer
    private let foreground: Foreground
    private let artwork: any ArtworkFiles
    private let remote: RemoteSessionMethods
    private let broker: any BrokerControl
    private let state = Mutex<(last: Int, owners: [String: DBusClient])>((0, [:]))

    init(
        nowPlaying: NowPlaying, remote: RemoteSessions, broker: any BrokerControl, server: DBusObjectServer,
        artwork: any ArtworkFiles,
        foreground: @escaping Foreground
    ) {
        self.nowPlaying = nowPlaying
        self.remote = RemoteSessionMethods(
            sessions: remote, nowPlaying: nowPlaying, server: server, foreground: foreground)
        self.broker = broker
        self.server = server
        self.artwork = artwork
        self.foreground = foreground
    }

    var interface: DBusInterface {
        DBusInterface(
            HostNames.nowPlayingInterface,
            methods: [
                DBusMethod(
                    "RegisterSession", in: [("handler", "o"), ("declaration", "a{sv}"), ("state", "a{sv}")],
                    out: [("session", "o")]
                ) { [self] call in register(call) },
                .async("SetPausesOthers", in: [("value", "b")], out: []) { [nowPlaying] call in
                    guard let value = call.arguments.first?.asBool else { throw HostError.badArguments }
                    try await nowPlaying.setPausesOthers(value)
                    return []
                },
            ] + remote.methods + PushMethods(sessions: remote.sessions, broker: broker).methods,
            properties: [
                DBusProperty("SystemPrimary", "o"), DBusProperty("PausesOthers", "b"),
                DBusProperty("PushFailures", PushMethods.failuresSignature),
            ],
            signals: [DBusSignalDeclaration("PushToStartTokenChanged", [("application", "s"), ("token", "ay")])])
    }

    /// No session is the first.
    static let nobody = DBusValue.objectPath("/")

    /// A Boolean value that indicates whether no app has a session.
    var isEmpty: Bool { state.withLock { $0.owners.isEmpty } }

    /// Ends the sessions of a client that has disconnected.
    func forget(_ client: DBusClient) {
        state.withLock { state in
            for (id, owner) in state.owners where owner == client { state.owners[id] = nil }
        }
        nowPlaying.forget(owner: client.holder)
    }

    private func register(_ call: DBusMethodCall) {
        guard call.arguments.count == 3, let handler = call.arguments[0].asString,
            let declaration = call.arguments[1].asDictionary
        else { return call.fail(HostError.badArguments.asDBusError) }
        let session: MediaSessionState
        do {
            session = try Self.decode(call.arguments[2])
        } catch {
            return call.fail(error.asDBusError)
        }
        let id = state.withLock { state in
            state.last += 1
            state.owners["app\(state.last)"] = call.client
            return "app\(state.last)"
        }
        let identifier = declaration["identifier"]?.asString ?? ""
        let name = declaration["name"]?.asString ?? ""
        let new = NowPlayingSession(
            id: id, kind: .local, owner: call.client.holder, application: identifier,
            name: name.isEmpty ? (identifier.isEmpty ? "App" : identifier) : name, state: session)
        do throws(DBusError) {
            // Here and not by the publisher: the client may use the object as soon as it has its path.
            try show(new)
        } catch {
            return call.fail(error)
        }
        nowPlaying.register(new, AppPort(server: server, client: call.client, path: handler))
        call.reply([.objectPath(HostNames.mediaSessionPath(id))])
    }

    /// Adds a session's object, on the server's loop, where methods are handled.
    private func show(_ session: NowPlayingSession) throws(DBusError) {
        let interface = mediaObject(for: session.id).interface
        let failure = server.assumeIsolated { server -> DBusError? in
            do throws(DBusError) {
                try server.add(
                    path: HostNames.mediaSessionPath(session.id), [(interface, MediaSessionObject.values(session))])
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    static func decode(_ value: DBusValue) throws(DBusError) -> MediaSessionState {
        let state = try DBusDictionaryDecoder().decode(MediaSessionState.self, from: value)
        guard state.isShowable else {
            throw HostError(.invalidArgument, "A number of the session is none that can be shown.").asDBusError
        }
        return state
    }

    // MARK: Requests of a session's object

    /// Checks that a client owns a session.
    ///
    /// - Throws: ``HostError`` if another client does.
    func own(_ id: String, _ client: DBusClient) throws(HostError) {
        guard state.withLock({ $0.owners[id] }) == client else {
            throw HostError(.notSupported, "That session is another program's.")
        }
    }

    func mediaObject(for id: String) -> MediaSessionObject {
        MediaSessionObject(id: id, nowPlaying: nowPlaying, registry: self, artwork: artwork)
    }

    func claimSystem(_ id: String, _ client: DBusClient) async throws {
        let process = try await server.processID(of: client)
        try await nowPlaying.claimSystem(id, isForeground: foreground(process))
    }

    func withdraw(_ id: String) {
        state.withLock { $0.owners[id] = nil }
        nowPlaying.withdraw(id)
    }
}
