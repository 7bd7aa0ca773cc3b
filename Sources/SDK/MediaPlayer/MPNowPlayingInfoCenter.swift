import Foundation
import NowPlaying

/// What the app plays, as a table: a thin face of `MediaSession`.
///
/// Don't use it together with a `MediaSession` of your own: both would be players of the desktop.
///
/// Source: MediaPlayer, iOS 27 SDK.
@MainActor
public final class MPNowPlayingInfoCenter {
    private static let shared = MPNowPlayingInfoCenter(MediaSession.init)

    let player = InfoPlayer()
    private let makeSession: @MainActor (InfoPlayer) -> MediaSession<InfoPlayer>
    private var session: MediaSession<InfoPlayer>?

    init(_ makeSession: @escaping @MainActor (InfoPlayer) -> MediaSession<InfoPlayer>) {
        self.makeSession = makeSession
    }

    /// The app's center.
    public static func `default`() -> MPNowPlayingInfoCenter { shared }

    /// What plays, by the keys of this module; `nil`: nothing, and the session is gone.
    public var nowPlayingInfo: [String: Any]? {
        get { player.info?.values }
        set {
            player.setInfo(newValue)
            if newValue == nil { session = nil } else if session == nil { session = makeSession(player) }
        }
    }

    /// Whether it plays. ``MPNowPlayingPlaybackState/unknown``: it does while the rate in ``nowPlayingInfo`` isn't 0.
    public var playbackState: MPNowPlayingPlaybackState {
        get { player.state }
        set { player.state = newValue }
    }
}

/// Whether something plays.
///
/// Source: MediaPlayer, iOS 27 SDK.
public enum MPNowPlayingPlaybackState: UInt, Sendable {
    case unknown, playing, paused, stopped, interrupted
}

/// The keys of ``MPNowPlayingInfoCenter/nowPlayingInfo`` that have an effect; others are kept and not shown.
///
/// The title, a `String`.
public let MPMediaItemPropertyTitle = "title"
/// Who performs it, a `String`.
public let MPMediaItemPropertyArtist = "artist"
/// The album, a `String`.
public let MPMediaItemPropertyAlbumTitle = "albumTitle"
/// The genre, a `String`.
public let MPMediaItemPropertyGenre = "genre"
/// Who wrote it, a `String`.
public let MPMediaItemPropertyComposer = "composer"
/// How long it is, a number of seconds.
public let MPMediaItemPropertyPlaybackDuration = "playbackDuration"
/// The picture, an ``MPMediaItemArtwork``.
public let MPMediaItemPropertyArtwork = "artwork"
/// Whether it is explicit, a `Bool`.
public let MPMediaItemPropertyIsExplicit = "isExplicit"
/// Seconds from the beginning, a number, true when the table is set.
public let MPNowPlayingInfoPropertyElapsedPlaybackTime = "MPNowPlayingInfoPropertyElapsedPlaybackTime"
/// The speed now, a number; 0: paused.
public let MPNowPlayingInfoPropertyPlaybackRate = "MPNowPlayingInfoPropertyPlaybackRate"
/// The speed to go on with, a number above 0.
public let MPNowPlayingInfoPropertyDefaultPlaybackRate = "MPNowPlayingInfoPropertyDefaultPlaybackRate"
/// Whether it is a broadcast, a `Bool`.
public let MPNowPlayingInfoPropertyIsLiveStream = "MPNowPlayingInfoPropertyIsLiveStream"
/// What the app calls it, a `String`; without one, title, artist and album identify it.
public let MPNowPlayingInfoPropertyExternalContentIdentifier = "MPNowPlayingInfoPropertyExternalContentIdentifier"
/// Sound or picture, the raw value of an ``MPNowPlayingInfoMediaType``.
public let MPNowPlayingInfoPropertyMediaType = "MPNowPlayingInfoPropertyMediaType"

/// Whether it is heard or seen.
///
/// Source: MediaPlayer, iOS 27 SDK.
public enum MPNowPlayingInfoMediaType: UInt, Sendable { case none, audio, video }
