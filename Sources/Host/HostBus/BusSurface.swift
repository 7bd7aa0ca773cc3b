package import DBus
package import HostCore
import HostInterface
package import Logging
import Synchronization

/// The daemon on D-Bus: the same objects on its own socket and, if there is one, on the session bus.
package final class BusSurface: Sendable {
    private let host: MediaHost
    private let server: DBusObjectServer
    private let loop: DBusLoop
    private let manager: ManagerObject
    private let deviceInterface: DBusInterface
    private let sessionObject: SessionObject
    private let extensionInterface: DBusInterface
    private let followers: LogFollowers
    private let logger: Logger
    private let prompts: PromptDirectory
    private let applications: ApplicationDirectory
    private let nowPlaying: NowPlaying
    private let remoteSessions: RemoteSessions
    private let broker: any BrokerControl
    private let sinks: any SoundSinkControl
    private let routedStreams: RoutedStreams
    private let nowPlayingObject: NowPlayingObject
    private let peers = Mutex(0)
    /// A stream that yields when the daemon's work may have begun or ended, for one consumer.
    package let activity: AsyncStream<Void>
    private let active: AsyncStream<Void>.Continuation

    /// Creates the surface.
    ///
    /// - Parameters:
    ///   - artwork: The pictures of sessions as files.
    ///   - loop: The event loop, preferably the host's.
    ///   - showPicker: Opens the page in a browser as an app's picker.
    ///   - foreground: A function that returns `true` for a process in the foreground.
    package init(
        host: MediaHost, nowPlaying: NowPlaying, remoteSessions: RemoteSessions, broker: any BrokerControl,
        sinks: any SoundSinkControl, routedStreams: RoutedStreams,
        artwork: any ArtworkFiles, loop: DBusLoop, logger: Logger, foreground: @escaping @Sendable (Int32) -> Bool,
        showPicker: @escaping ShowPicker, quit: @escaping @Sendable () -> Void
    ) {
        self.host = host
        self.nowPlaying = nowPlaying
        self.remoteSessions = remoteSessions
        self.broker = broker
        self.sinks = sinks
        self.routedStreams = routedStreams
        self.loop = loop
        self.logger = logger
        server = DBusObjectServer(loop: loop, objectManagerPath: HostNames.rootPath)
        prompts = PromptDirectory(server: server, limit: HostTiming().prompt)
        applications = ApplicationDirectory(server: server)
        (activity, active) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        manager = ManagerObject(
            host: host, sinks: sinks, server: server, prompts: prompts, applications: applications,
            showPicker: showPicker, quit: quit)
        deviceInterface =
            DeviceObject(host: host, prompts: prompts, applications: applications, server: server).interface
        sessionObject = SessionObject(host: host)
        followers = LogFollowers(host: host, server: server)
        extensionInterface = ExtensionObject(host: host, followers: followers).interface
        nowPlayingObject = NowPlayingObject(
            nowPlaying: nowPlaying, remote: remoteSessions, broker: broker, server: server, artwork: artwork,
            foreground: foreground)
    }

    /// Puts the manager on the tree; call once, before any connection is attached.
    package func start(version: String, processID: Int32) async throws {
        await host.serve(applications: applications)
        try await server.add(
            path: HostNames.rootPath,
            [
                (
                    manager.interface,
                    [
                        "Version": .string(version), "ProcessID": .uint32(UInt32(clamping: processID)),
                        "Problems": .array(of: "(ss)", []), "Settled": .boolean(false),
                        "SinksFollowDevices": .boolean(await sinks.isFollowing),
                    ]
                )
            ])
        try await server.add(
            path: HostNames.nowPlayingPath,
            [
                (
                    nowPlayingObject.interface,
                    [
                        "SystemPrimary": NowPlayingObject.nobody,
                        "PausesOthers": .boolean(await nowPlaying.pausesOthers),
                        "PushFailures": PushMethods.value([]),
                    ]
                )
            ])
    }

    /// Publishes the objects on the session bus under the daemon's name.
    ///
    /// - Throws: `DBusError` if there is no bus, or the name is taken. The daemon's own socket works all the same.
    package func attachSessionBus() async throws {
        let connection = DBusConnection(loop: loop)
        try await connection.openSessionBus()
        try await server.attach(connection)
        do {
            try await connection.requestName(HostNames.busName)
        } catch {
            await connection.close()
            throw error
        }
    }

    /// A Boolean value that indicates whether no one needs the daemon: there is no client on its socket, no agent, app,
    /// broker, sink, lease or route.
    package var isIdle: Bool {
        get async {
            let hasClients =
                peers.withLock { $0 > 0 } || !prompts.isEmpty || !applications.declarations.isEmpty
                || !nowPlayingObject.isEmpty
            guard !hasClients, await remoteSessions.isEmpty, await broker.status.state == .none, await sinks.isEmpty
            else { return false }
            return await host.isIdle
        }
    }

    /// Serves clients of the daemon's own socket until the listener ends.
    package func serve(_ listener: DBusListener) async {
        await withDiscardingTaskGroup { group in
            for await connection in listener.connections {
                group.addTask { await self.serve(connection) }
            }
        }
    }

    private func serve(_ connection: DBusConnection) async {
        peers.withLock { $0 += 1 }
        active.yield()
        defer {
            peers.withLock { $0 -= 1 }
            active.yield()
        }
        do {
            try await server.attach(connection)
            await connection.waitUntilClosed()
        } catch {
            logger.info("A client's connection failed", metadata: ["error": "\(error.message)"])
        }
    }

    /// Releases the resources of clients that disconnected.
    package func forgetLostClients() async {
        for await client in server.clientsGone {
            followers.forget(client)
            nowPlayingObject.forget(client)
            await manager.forget(client)
            active.yield()
        }
    }

    /// Publishes the host's changes, in order, until the host ends.
    package func publishChanges() async { await publishChanges(on: server) }

    /// Publishes the host's changes on the server's loop, which avoids a turn for each.
    private func publishChanges(on server: isolated DBusObjectServer) async {
        for await change in host.changes {
            do {
                nowPlaying.hostChanged(change)
                sinks.hostChanged(change)
                routedStreams.hostChanged(change)
                if case .remoteMedia(let event) = change { await remoteSessions.take(event) }
                try publish(change, on: server)
                if change.mayEndWork { active.yield() }
            } catch {
                logger.critical("An object cannot be published", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Publishes the changes of media sessions, in order, until they end.
    package func publishSessions() async { await publishSessions(on: server) }

    private func publishSessions(on server: isolated DBusObjectServer) async {
        for await change in await nowPlaying.changes() {
            do {
                try publish(change, on: server)
                if case .removed = change { active.yield() }
            } catch {
                logger.critical("A media session cannot be published", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Publishes the results of pushes, until cancelled.
    package func publishPushNews() async { await publishPushNews(on: server) }

    private func publishPushNews(on server: isolated DBusObjectServer) async {
        for await news in remoteSessions.pushNews {
            switch news {
            case .failures(let failures):
                server.update(
                    path: HostNames.nowPlayingPath, interface: HostNames.nowPlayingInterface,
                    ["PushFailures": PushMethods.value(failures)])
            case .startToken(let application, let token):
                server.emitSignal(
                    path: HostNames.nowPlayingPath, interface: HostNames.nowPlayingInterface,
                    member: "PushToStartTokenChanged", [.string(application), .bytes([UInt8](token))])
            }
        }
    }

    private func publish(_ change: NowPlayingChange, on server: isolated DBusObjectServer) throws {
        func update(_ values: [String: DBusValue]) {
            server.update(path: HostNames.nowPlayingPath, interface: HostNames.nowPlayingInterface, values)
        }
        switch change {
        case .session(let session):
            try server.put(
                path: HostNames.mediaSessionPath(session.id), interface: HostNames.mediaInterface,
                MediaSessionObject.values(session)
            ) { nowPlayingObject.mediaObject(for: session.id).interface }
        case .removed(let id): server.remove(path: HostNames.mediaSessionPath(id))
        case .systemPrimary(let id):
            update([
                "SystemPrimary": id.map { .objectPath(HostNames.mediaSessionPath($0)) } ?? NowPlayingObject.nobody
            ])
        case .pausesOthers(let value): update(["PausesOthers": .boolean(value)])
        }
    }

    private func publish(_ change: HostChange, on server: isolated DBusObjectServer) throws {
        switch change {
        case .device(let device):
            try server.put(
                path: HostNames.devicePath(device.id), interface: HostNames.deviceInterface, DeviceValues(device)
            ) { deviceInterface }
            // Clients that knew a part before the merge can still reach it.
            server.setAliases(
                device.parts.map { HostNames.devicePath($0.id) }, of: HostNames.devicePath(device.id))
        case .deviceRemoved(let id):
            server.remove(path: HostNames.devicePath(id))
        case .session(let session):
            try server.put(
                path: HostNames.sessionPath(session.id), interface: HostNames.sessionInterface,
                SessionObject.values(session)
            ) { sessionObject.interface(for: session.id) }
        case .sessionRemoved(let id):
            server.remove(path: HostNames.sessionPath(id))
        case .extensionStatus(let status):
            try server.put(
                path: HostNames.extensionPath(status.id), interface: HostNames.extensionInterface,
                ExtensionObject.values(status)
            ) { extensionInterface }
        case .extensionRemoved(let id):
            server.remove(path: HostNames.extensionPath(id))
        case .problems(let problems):
            server.update(
                path: HostNames.rootPath, interface: HostNames.managerInterface,
                ["Problems": .array(of: "(ss)", problems.map { .error($0) })])
        case .settled(let isSettled):
            server.update(
                path: HostNames.rootPath, interface: HostNames.managerInterface, ["Settled": .boolean(isSettled)])
        case .leases(let changes):
            for connection in manager.leases.apply(changes) {
                server.tellChange(
                    path: HostNames.rootPath, interface: HostNames.managerInterface, property: "Leases", on: connection)
            }
        case .sessionData(let session, let data):
            server.emitSignal(
                path: HostNames.sessionPath(session), interface: HostNames.sessionInterface, member: "DataReceived",
                [.bytes([UInt8](data))])
        case .routeData(let device, let data):
            server.emitSignal(
                path: HostNames.devicePath(device), interface: HostNames.deviceInterface, member: "DataReceived",
                [.bytes([UInt8](data))])
        case .remoteMedia, .applicationRoutes: break
        case .barrier(let continuation):
            continuation.resume()
        }
    }
}

extension HostChange {
    /// A Boolean value that indicates whether the daemon may be idle after the change; `false` for data.
    fileprivate var mayEndWork: Bool {
        switch self {
        case .sessionData, .routeData, .barrier: false
        default: true
        }
    }
}
