import DBus
package import HostCore
package import Logging

/// Shows every media session as a player on the session bus, where desktops and `playerctl` find it.
package actor DesktopSurface {
    private let nowPlaying: NowPlaying
    private let artwork: ArtworkCache
    private let logger: Logger
    private let loop = DBusLoop(label: "org.mdhost.players")
    private var players: [String: DesktopPlayer] = [:]

    package init(nowPlaying: NowPlaying, artwork: ArtworkCache, logger: Logger) {
        self.nowPlaying = nowPlaying
        self.artwork = artwork
        self.logger = logger
    }

    /// Shows all sessions until they end. Then no player is left.
    package func run() async {
        await withDiscardingTaskGroup { group in
            for await change in await nowPlaying.changes() {
                switch change {
                case .session(let session):
                    let player =
                        players[session.id]
                        ?? DesktopPlayer(nowPlaying: nowPlaying, artwork: artwork, loop: loop, logger: logger)
                    if players.updateValue(player, forKey: session.id) == nil {
                        group.addTask { await player.run() }
                    }
                    player.show(session)
                case .removed(let id):
                    players.removeValue(forKey: id)?.end()
                    await artwork.forget(id)
                case .systemPrimary, .pausesOthers: break
                }
            }
            for player in players.values { player.end() }
            players = [:]
        }
    }
}
