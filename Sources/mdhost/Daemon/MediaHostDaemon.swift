import CProgramMemory
import DBus
import Descriptors
import Foundation
import HostBroker
import HostBus
import HostClient
import HostCore
import HostDesktop
import HostExtensions
import HostFiles
import HostInterface
import HostState
import Logging
import ServiceLifecycle
import UnixSignals

/// The daemon: every adapter made once, wired to the host, and run until a signal, a client or idleness ends it.
struct MediaHostDaemon {
    struct Options: Sendable {
        /// Started by a client: exit when it is no longer needed.
        var onDemand = false
        /// Replace a running daemon, and resume its playback.
        var replaces = false
        /// Closed once clients can connect.
        var readyDescriptor: Int32?
        /// The listening socket of the daemon that this one takes over from.
        var listeningDescriptor: Int32?
        var usesSessionBus = true
        /// The arguments of the daemon that takes over from this one.
        var successor = ["daemon", "--replace"]
    }

    /// The time a daemon started by a client waits for another daemon that is starting or exiting.
    private static let patience = Duration.seconds(9)

    let options: Options
    let logger: Logger

    /// - Returns: Once the daemon ended in order; at once where another daemon of this user runs.
    /// - Throws: ``HostError`` if it cannot start.
    func run() async throws {
        DescriptorReserve.raiseLimit()
        ProcessSecrets.protect()
        let folder = try HostFolders.runtime()
        let stateFolder = try HostFolders.state()
        try HostFolders.prepare(stateFolder)
        try HostFolders.prepare(folder)
        let path = folder + "/lock"
        let socket = try HostFolders.socket
        let replacement = Replacement(lock: path, socket: socket, logger: logger)
        guard let lock = options.replaces ? try await replacement.run() : try await takeLock(path) else {
            logger.notice("Another daemon runs already", metadata: ["socket": "\(socket)"])
            return
        }
        let lingering: Lingering?
        do {
            let stateLock = try StateLock.take(stateFolder)
            // Release it before the other lock: a process that takes that one then finds this one free.
            defer { stateLock.release() }
            lingering = try await serve(lock)
            await lingering?.makeWay()
        } catch {
            lock.release()
            throw error
        }
        lock.release()
        await lingering?.run()
    }

    /// Returns the lock, or `nil` if another daemon serves.
    ///
    /// The client that started this daemon connects as soon as it exits. So a daemon started by a client exits only
    /// when the other accepts connections, and takes its place if the other was exiting.
    private func takeLock(_ path: String) async throws -> InstanceLock? {
        let deadline = ContinuousClock.now + Self.patience
        while true {
            if let lock = try InstanceLock.take(path) { return lock }
            if options.readyDescriptor == nil || InstanceLock.isServing(path) || ContinuousClock.now > deadline {
                return nil
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// - Returns: The remaining work once another daemon has taken over.
    private func serve(_ lock: InstanceLock) async throws -> Lingering? {
        let (quits, quit) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let loop = DBusLoop(label: "org.mdhost.bus")
        let store = try await makeStore()
        let supervisor = try await makeSupervisor(on: loop, store)
        let files = HummingbirdFileServer(ports: try filePorts(), logger: logger)
        let host = try await makeHost(store, supervisor, files, on: loop)
        let nowPlaying = try await makeNowPlaying(host, store)
        let remoteSessions = makeRemoteSessions(supervisor, store, nowPlaying)
        let artwork = try makeArtwork(nowPlaying)
        let broker = BrokerLink(receiver: remoteSessions, store: store, logger: logger)
        let sinkMedia = makeSinkMedia(host)
        let sinks = try await makeSinks(host, store, sinkMedia)
        let routedStreams = makeRoutedStreams(host, sinks, store)
        let surface = BusSurface(
            host: host, nowPlaying: nowPlaying, remoteSessions: remoteSessions, broker: broker, sinks: sinks,
            routedStreams: routedStreams, artwork: artwork, loop: loop, logger: logger,
            foreground: { ProcessForeground.isForeground($0) },
            showPicker: { identifier, name, opens in
                try await DaemonPage.showPicker(identifier: identifier, name: name, opens: opens)
            }, quit: { quit.yield() })
        try await surface.start(version: Version.current, processID: ProcessInfo.processInfo.processIdentifier)
        // Ends with the host, after its last change; then so do the sessions that are shown.
        let publisher = Task { await publish(surface, nowPlaying, artwork) }
        // The first reader must already see the state left by the previous daemon.
        await host.prepare()
        await remoteSessions.restore()
        await broker.restore()
        await host.published()
        await sinks.restore()
        let sinking = Task { await sinks.run() }
        let describing = Task { await sinkMedia?.run() }
        await routedStreams.restore()
        let moving = Task { await routedStreams.run() }
        let activated = SocketActivation.takeDescriptor(inherited: options.listeningDescriptor)
        let listener = try await listen(on: loop, activated)
        if options.usesSessionBus { await attachSessionBus(surface) }
        lock.tellServing(true)
        announceReadiness()
        DaemonPage.startIfEnabled(logger: logger)
        // The listener closes its descriptor when another daemon takes over.
        let kept = activated.map { fcntl($0, F_DUPFD_CLOEXEC, 3) }
        let succession = Succession(arguments: options.successor, listening: kept, logger: logger)
        defer {
            withExtendedLifetime(succession) {}
            if let kept { close(kept) }
        }
        let work = Work {
            await run(host, surface, sinks, listener, lock, publisher, quit: { quit.yield() })
        }
        let group = ServiceGroup(
            configuration: .init(
                services: [.init(service: work, successTerminationBehavior: .gracefullyShutdownGroup)],
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        let quitting = Task { for await _ in quits { await group.triggerGracefulShutdown() } }
        defer { quitting.cancel() }
        let socket = try HostFolders.socket
        logger.info("Serving", metadata: ["socket": "\(socket)"])
        try await group.run()
        await broker.close()
        await sinks.close()
        await sinking.value
        sinkMedia?.close()
        await describing.value
        await routedStreams.close(movesBack: !(await host.isHandingOver))
        await moving.value
        guard await host.isHandingOver else { return nil }
        return Lingering(files: files, served: await host.served, socket: socket, logger: logger)
    }

    /// Runs every piece until a graceful shutdown, then ends them in order: no new clients, then the host with its
    /// sessions, which clients still see end unless another daemon takes them up, then the clients' connections.
    private func run(
        _ host: MediaHost, _ surface: BusSurface, _ sinks: SoundSinks, _ listener: DBusListener,
        _ lock: InstanceLock, _ publisher: Task<Void, Never>, quit: @escaping @Sendable () -> Void
    ) async {
        let clients = Task {
            await withDiscardingTaskGroup { group in
                group.addTask { await surface.serve(listener) }
                group.addTask { await surface.forgetLostClients() }
                group.addTask { await surface.publishPushNews() }
                group.addTask { await followActivity(surface, quit: quit) }
            }
        }
        await withGracefulShutdownHandler {
            await cancelWhenGracefulShutdown { await host.run() }
        } onGracefulShutdown: {
            lock.tellServing(false)
            Task { await listener.close() }
            // Before the sessions end: no new session begins, and another daemon may show the sinks at once.
            Task { await sinks.close() }
        }
        await publisher.value
        await listener.close()
        clients.cancel()
        await clients.value
    }

    /// Publishes changes until the host and the sessions of its apps have ended.
    private func publish(_ surface: BusSurface, _ nowPlaying: NowPlaying, _ artwork: ArtworkCache) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await nowPlaying.run() }
            group.addTask { await surface.publishSessions() }
            if options.usesSessionBus {
                let players = DesktopSurface(nowPlaying: nowPlaying, artwork: artwork, logger: logger)
                group.addTask { await players.run() }
            }
            await surface.publishChanges()
            nowPlaying.end()
        }
    }

    private func listen(on loop: DBusLoop, _ activated: Int32?) async throws -> DBusListener {
        let log = RefusalLog(logger: logger)
        let refused: @Sendable (DBusListener.Refusal) -> Void = { log.write($0) }
        if let activated {
            return try await DBusListener(listeningFileDescriptor: activated, loop: loop, onRefused: refused)
        }
        return try await DBusListener(path: try HostFolders.socket, loop: loop, onRefused: refused)
    }

    /// Releases memory and, if this daemon was started on demand, leaves when there is nothing to do.
    private func followActivity(_ surface: BusSurface, quit: @escaping @Sendable () -> Void) async {
        let rest = IdleWatch(patience: .seconds(10), isIdle: { true }, leave: { program_memory_release() })
        let end = options.onDemand ? IdleWatch(isIdle: { await surface.isIdle }, leave: quit) : nil
        await IdleWatch.follow(surface.activity) {
            await rest.hint()
            await end?.hint()
        }
    }

    private func attachSessionBus(_ surface: BusSurface) async {
        do {
            try await surface.attachSessionBus()
        } catch {
            logger.info("The session bus is not used", metadata: ["reason": "\(error)"])
        }
    }

    private func announceReadiness() {
        ServiceManager.reportReadiness()
        guard let descriptor = options.readyDescriptor else { return }
        close(descriptor)
    }
}

/// The daemon's work, as the group that watches for signals knows it.
private struct Work: Service {
    let body: @Sendable () async -> Void

    init(_ body: @escaping @Sendable () async -> Void) { self.body = body }

    func run() async throws { await body() }
}
