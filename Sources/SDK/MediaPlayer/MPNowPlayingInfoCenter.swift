import Foundation
import NowPlaying

/// The app's current item as a dictionary, published with a `MediaSession`. It can be used from any thread; a new value
/// is published soon after it is set.
///
/// Don't use it together with your own `MediaSession`: both would be players of the desktop.
///
/// Source: MediaPlayer, iOS 27 SDK.
public final class MPNowPlayingInfoCenter: @unchecked Sendable {
    private static let shared = MPNowPlayingInfoCenter()

    let player = InfoPlayer()
    /// Protects `info` and `state`, which is why the class may claim to be `Sendable`. The model reads the current
    /// values when its turn comes, so that the last write counts.
    private let lock = NSLock()
    private var info: InfoPlayer.Info?
    private var state = MPNowPlayingPlaybackState.unknown
    private let isPublished: Bool
    @MainActor private var session: MediaSession<InfoPlayer>?

    /// - Parameter isPublished: `false` keeps the item to the model.
    init(isPublished: Bool = true) { self.isPublished = isPublished }

    /// Returns the app's center.
    public static func `default`() -> MPNowPlayingInfoCenter { shared }

    /// The current item, with the keys of this module; `nil` for none, which ends the session.
    public var nowPlayingInfo: [String: Any]? {
        get { lock.withLock { info?.values } }
        set {
            let info = newValue.map { InfoPlayer.Info(values: $0, date: .now) }
            lock.withLock { self.info = info }
            publish()
        }
    }

    /// The state of playback. For ``MPNowPlayingPlaybackState/unknown``, the rate in ``nowPlayingInfo`` determines it:
    /// 0 means paused.
    public var playbackState: MPNowPlayingPlaybackState {
        get { lock.withLock { state } }
        set {
            lock.withLock { state = newValue }
            publish()
        }
    }

    private func publish() {
        Task { @MainActor in
            let (info, state) = self.lock.withLock { (self.info, self.state) }
            self.player.set(info, state)
            if info == nil {
                self.session = nil
            } else if self.session == nil, self.isPublished {
                self.session = MediaSession(self.player)
            }
        }
    }
}

/// The state of playback.
///
/// Source: MediaPlayer, iOS 27 SDK.
public enum MPNowPlayingPlaybackState: UInt, Sendable {
    case unknown, playing, paused, stopped, interrupted
}

/// The key for the title, a `String`.
///
/// The keys of this module are the only keys of ``MPNowPlayingInfoCenter/nowPlayingInfo`` that have an effect. Others
/// are kept, but not shown.
public let MPMediaItemPropertyTitle = "title"
/// The key for the performer, a `String`.
public let MPMediaItemPropertyArtist = "artist"
/// The key for the album, a `String`.
public let MPMediaItemPropertyAlbumTitle = "albumTitle"
/// The key for the genre, a `String`.
public let MPMediaItemPropertyGenre = "genre"
/// The key for the composer, a `String`.
public let MPMediaItemPropertyComposer = "composer"
/// The key for the duration in seconds, a number.
public let MPMediaItemPropertyPlaybackDuration = "playbackDuration"
/// The key for the artwork, an ``MPMediaItemArtwork``.
public let MPMediaItemPropertyArtwork = "artwork"
/// The key for a `Bool` that indicates whether the item is explicit.
public let MPMediaItemPropertyIsExplicit = "isExplicit"
/// The key for the position in seconds from the beginning at the time the dictionary is set, a number.
public let MPNowPlayingInfoPropertyElapsedPlaybackTime = "MPNowPlayingInfoPropertyElapsedPlaybackTime"
/// The key for the current rate, a number; 0 for paused.
public let MPNowPlayingInfoPropertyPlaybackRate = "MPNowPlayingInfoPropertyPlaybackRate"
/// The key for the rate at which playback resumes, a number greater than 0.
public let MPNowPlayingInfoPropertyDefaultPlaybackRate = "MPNowPlayingInfoPropertyDefaultPlaybackRate"
/// The key for a `Bool` that indicates whether the item is a broadcast.
public let MPNowPlayingInfoPropertyIsLiveStream = "MPNowPlayingInfoPropertyIsLiveStream"
/// The key for the app's identifier of the item, a `String`. Without one, title, artist and album identify it.
public let MPNowPlayingInfoPropertyExternalContentIdentifier = "MPNowPlayingInfoPropertyExternalContentIdentifier"
/// The key for the kind of media, the raw value of an ``MPNowPlayingInfoMediaType``.
public let MPNowPlayingInfoPropertyMediaType = "MPNowPlayingInfoPropertyMediaType"

/// The kind of media: audio or video.
///
/// Source: MediaPlayer, iOS 27 SDK.
public enum MPNowPlayingInfoMediaType: UInt, Sendable { case none, audio, video }
