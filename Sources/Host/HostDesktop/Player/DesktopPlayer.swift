import DBus
import HostCore
import HostInterface
import Logging

/// A player on the session bus, on its own connection, because clients distinguish players by their connections.
actor DesktopPlayer {
    /// The states to show. Only the newest counts.
    private nonisolated let feed: AsyncStream<NowPlayingSession>.Continuation
    private let inbox: AsyncStream<NowPlayingSession>
    private let nowPlaying: NowPlaying
    private let artwork: ArtworkCache
    private let loop: DBusLoop
    private let logger: Logger
    private var connection: DBusConnection?
    private var server: DBusObjectServer?
    private var state: PlayerState?
    /// The picture that is shown or being got, by its key.
    private var artworkID: String?
    /// The item that showed it first.
    private var artworkItem: String?
    private var fetching: Task<Void, Never>?

    init(nowPlaying: NowPlaying, artwork: ArtworkCache, loop: DBusLoop, logger: Logger) {
        self.nowPlaying = nowPlaying
        self.artwork = artwork
        self.loop = loop
        self.logger = logger
        (inbox, feed) = AsyncStream.makeStream(of: NowPlayingSession.self, bufferingPolicy: .bufferingNewest(1))
    }

    nonisolated func show(_ session: NowPlayingSession) { feed.yield(session) }

    /// Ends the player: ``run()`` removes it from the bus and returns.
    nonisolated func end() { feed.finish() }

    func run() async {
        var isRefused = false
        for await session in inbox {
            guard session.state.content != nil else {
                isRefused = false
                await withdraw()
                continue
            }
            // After a failure, don't retry at every change.
            guard !isRefused else { continue }
            do {
                try await put(session)
            } catch {
                logger.info(
                    "A player cannot be shown on the session bus",
                    metadata: ["session": "\(session.name)", "reason": "\(error)"])
                isRefused = true
                await withdraw()
            }
        }
        await withdraw()
    }

    private func put(_ session: NowPlayingSession) async throws {
        let content = session.state.content
        // Artwork that couldn't be loaded is requested again with the next item.
        let isMissing = content?.id != artworkItem && state?.view.artworkURL == nil
        let isNewPicture = content?.artworkID != artworkID || isMissing
        let view = PlayerView(session: session, artworkURL: isNewPicture ? nil : state?.view.artworkURL)
        if state == nil { try await open(view) } else { await update(view) }
        if isNewPicture { fetchPicture(session) }
    }

    /// Opens the player. It requests its name last, so that every property is ready when the name appears.
    private func open(_ view: PlayerView) async throws {
        let state = PlayerState(view)
        let object = PlayerObject(
            state: state, nowPlaying: nowPlaying, desktopEntry: DesktopEntries.entry(of: view.session))
        let connection = DBusConnection(loop: loop)
        let server = DBusObjectServer(loop: loop, objectManagerPath: PlayerObject.path)
        self.connection = connection
        self.server = server
        try await connection.openSessionBus()
        try await server.add(path: PlayerObject.path, [object.root, object.player])
        try await server.attach(connection)
        try await connection.requestName(view.session.playerName)
        self.state = state
    }

    private func update(_ view: PlayerView) async {
        guard let state, let server, state.view != view else { return }
        let isJump = state.show(view)
        await server.update(
            path: PlayerObject.path, interface: PlayerObject.rootInterface, ["Identity": .string(view.session.name)])
        await server.update(
            path: PlayerObject.path, interface: PlayerObject.playerInterface, view.properties)
        guard isJump else { return }
        await server.emitSignal(
            path: PlayerObject.path, interface: PlayerObject.playerInterface, member: "Seeked",
            [.int64(PlayerView.microseconds(state.position))])
    }

    private func fetchPicture(_ session: NowPlayingSession) {
        fetching?.cancel()
        artworkID = session.state.content?.artworkID
        artworkItem = session.state.content?.id
        guard let id = artworkID else { return }
        fetching = Task { [weak self, artwork] in
            guard let url = await artwork.desktopURL(of: session), !Task.isCancelled else { return }
            await self?.showPicture(id, url)
        }
    }

    private func showPicture(_ id: String, _ url: String) async {
        guard id == artworkID, var view = state?.view, view.session.state.content?.artworkID == id else { return }
        view.artworkURL = url
        await update(view)
    }

    private func withdraw() async {
        fetching?.cancel()
        artworkID = nil
        let (shown, connection) = (state, connection)
        // The server as long as there are answers to give.
        let server = server
        (state, self.server, self.connection) = (nil, nil, nil)
        if let shown, let connection {
            try? await connection.releaseName(shown.view.session.playerName)
            await shown.allAnswered()
        }
        await connection?.close()
        withExtendedLifetime(server) {}
    }
}
