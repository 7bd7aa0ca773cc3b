import ArgumentParser
import HostClient
import HostInterface

struct NowPlayingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "now-playing", abstract: "Show and control playback on this computer and its devices.",
        discussion: """
            Acts on the system primary, the session that media keys control: the one that started playing last, or claimed \
            it. Exit codes: 0 done, 1 the app failed, 2 nothing plays, 5 no answer within 3 seconds, \
            6 the session does not offer it.
            """,
        subcommands: [
            NowPlayingStatus.self, NowPlayingList.self, NowPlayingPlay.self, NowPlayingPause.self,
            NowPlayingToggle.self, NowPlayingStop.self, NowPlayingNext.self, NowPlayingPrevious.self,
            NowPlayingSeek.self, NowPlayingHold.self, NowPlayingSpeed.self, LikeCommand.self, DislikeCommand.self,
            NowPlayingUnrate.self, NowPlayingRepeat.self, NowPlayingShuffle.self, NowPlayingVolume.self,
            NowPlayingSettings.self,
        ], defaultSubcommand: NowPlayingStatus.self)
}

/// The session a command means.
struct MediaSessionOption: ParsableArguments {
    @Option(
        name: .customLong("session"),
        help: "Session other than the primary: name of its app or device, a unique beginning of it, or id.")
    var name: String?
}

extension HostConnection {
    /// The system primary, or the session a person means.
    func mediaSession(_ option: MediaSessionOption) throws(HostError) -> ClientMediaSession {
        let sessions = view.sortedMediaSessions
        guard let name = option.name else {
            guard let session = sessions.first(where: \.isSystemPrimary) else {
                throw HostError(
                    .noSuchSession, "Nothing plays.",
                    remedy: "Start playback in an app, or with `mdhost play DEVICE FILE`.")
            }
            return session
        }
        return try NamedThings(
            things: sessions, id: \.id, name: \.name,
            words: .init(
                plural: "sessions", unknown: .noSuchSession, detail: \.id,
                nothing: { "No session is called “\($0)”" }, nothingAtAll: ": nothing plays.")
        ).resolve(name)
    }
}

/// A command that sends one request to a session and prints nothing on success.
protocol MediaSessionControl: AsyncParsableCommand {
    var common: CommonOptions { get }
    var target: MediaSessionOption { get }
    var wish: MediaWish { get }
}

/// The output of a command with `--json`.
struct DoneCommand: Encodable {
    var session: String
    var done = true
}

extension MediaSessionControl {
    func run() async throws {
        try await common.perform { output in
            let connection = try await HostConnection()
            let session = try connection.mediaSession(target)
            if let action = try wish.action(session.state, now: monotonicSeconds()) {
                try await connection.client.perform(action, media: session.path)
            }
            if output.isJSON {
                try output.json(DoneCommand(session: session.id))
            }
            await connection.close()
        }
    }
}
