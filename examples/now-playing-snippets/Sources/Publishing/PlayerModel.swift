import Foundation
import NowPlaying
import Observation

/// An app's existing player.
@MainActor
public final class Player {
    public private(set) var isPlaying = false
    public var rate: Float = 1
    public var currentTime: TimeInterval = 0
    public private(set) var index = 0

    public init() {}

    public func play() async throws { isPlaying = true }
    public func pause() { isPlaying = false }
    public func seek(to time: TimeInterval) async { currentTime = time }
    public func move(by steps: Int) { index += steps }
}

/// The app's model, observed by its session.
@MainActor
@Observable
public final class PlayerModel: @MainActor MediaSessionRepresentable {
    public let id = "com.example.player.main"

    private let player = Player()
    public private(set) var state = MediaPlaybackSnapshot.PlaybackState.stopped
    public private(set) var elapsedTime: TimeInterval = 0
    public private(set) var timestamp = Date()
    public private(set) var song: Song? = Song(id: "1", title: "Song", artist: "Artist", album: "Album", length: 200)
    public private(set) var repeatMode = MediaCommand.RepeatMode.off
    public private(set) var shuffleMode = MediaCommand.ShuffleMode.off
    public private(set) var liked = MediaCommand.FeedbackStatus.neutral

    public struct Song: Sendable {
        public var id: String
        public var title: String
        public var artist: String
        public var album: String
        public var length: TimeInterval
    }

    public init() {}

    public var content: (any MediaContentRepresentable)? {
        guard let song else { return nil }
        var content = MusicContent(
            id: song.id, songTitle: song.title, artistName: song.artist, albumName: song.album, type: .audio,
            duration: .finite(song.length),
            artwork: Artwork(id: song.album) { size in
                try await ArtworkRepresentation(data: CoverStore.shared.image(for: song.album, fitting: size))
            })
        content.genre = "Jazz"
        content.collectionID = song.album
        return content
    }

    public var playbackSnapshot: MediaPlaybackSnapshot? {
        MediaPlaybackSnapshot(state: state, elapsedTime: elapsedTime, timestamp: timestamp)
    }

    public var commands: [MediaCommand] {
        [
            .play { [weak self] in try await self?.play() },
            .pause { [weak self] in self?.pause() },
            .togglePlayPause { [weak self] in
                guard let self else { return }
                if case .playing = state { pause() } else { try await play() }
            },
            .next { [player] in player.move(by: 1) }.enabled(player.index < 9),
            .previous { [player] in player.move(by: -1) }.enabled(player.index > 0),
            .seekToPosition { [weak self] time in await self?.seek(to: time) },
            .changeRepeatMode(current: repeatMode) { [weak self] mode in self?.repeatMode = mode },
            .changeShuffleMode(current: shuffleMode, supported: [.off, .items]) { [weak self] mode in
                self?.shuffleMode = mode
            },
            .feedback(title: "Like", shortTitle: "Like", status: liked) { [weak self] status in
                self?.liked = status
            },
        ]
    }

    public func play() async throws {
        try await player.play()
        publish(.playing())
    }

    public func pause() {
        player.pause()
        publish(.paused)
    }

    public func seek(to time: TimeInterval) async {
        await player.seek(to: time)
        publish(state)
    }

    public func unload() { song = nil }

    private func publish(_ state: MediaPlaybackSnapshot.PlaybackState) {
        self.state = state
        elapsedTime = player.currentTime
        timestamp = Date()
    }
}

/// An app's store of covers.
actor CoverStore {
    static let shared = CoverStore()

    /// Returns a cover, never larger than the original, whatever size is requested.
    func image(for album: String, fitting size: CGSize) -> Data {
        Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    }
}
