import Foundation
import NowPlaying
import Observation

/// The model behind both centers.
@MainActor
@Observable
final class InfoPlayer: @MainActor MediaSessionRepresentable {
    /// A dictionary and the time it was set. The app may use its values on any thread.
    struct Info: @unchecked Sendable {
        var values: [String: Any]
        var date: Date

        func text(_ key: String) -> String? { values[key] as? String }

        func number(_ key: String) -> Double? {
            let number: Double? =
                switch values[key] {
                case let value as Double: value
                case let value as Float: Double(value)
                case let value as Int: Double(value)
                case let value as NSNumber: value.doubleValue
                default: nil
                }
            return number.flatMap { $0.isFinite ? $0 : nil }
        }

        func flag(_ key: String) -> Bool? { values[key] as? Bool ?? number(key).map { $0 != 0 } }
    }

    let id = "MPNowPlayingInfoCenter"
    private(set) var info: Info?
    private(set) var state = MPNowPlayingPlaybackState.unknown
    var commands: [MediaCommand] = []

    nonisolated init() {}

    func set(_ info: Info?, _ state: MPNowPlayingPlaybackState) { (self.info, self.state) = (info, state) }

    var content: (any MediaContentRepresentable)? {
        guard let info else { return nil }
        let (title, artist) = (info.text(MPMediaItemPropertyTitle) ?? "", info.text(MPMediaItemPropertyArtist) ?? "")
        let album = info.text(MPMediaItemPropertyAlbumTitle) ?? ""
        let isVideo =
            info.number(MPNowPlayingInfoPropertyMediaType) == Double(MPNowPlayingInfoMediaType.video.rawValue)
        let length = info.number(MPMediaItemPropertyPlaybackDuration).map { MediaDuration.finite($0) }
        var content = MusicContent(
            id: info.text(MPNowPlayingInfoPropertyExternalContentIdentifier)
                ?? [title, artist, album].joined(separator: "\n"),
            songTitle: title, artistName: artist, albumName: album, type: isVideo ? .video : .audio,
            duration: info.flag(MPNowPlayingInfoPropertyIsLiveStream) == true ? .live : length,
            artwork: (info.values[MPMediaItemPropertyArtwork] as? MPMediaItemArtwork)?.artwork)
        content.genre = info.text(MPMediaItemPropertyGenre)
        content.composer = info.text(MPMediaItemPropertyComposer)
        content.isExplicit = info.flag(MPMediaItemPropertyIsExplicit)
        return content
    }

    var playbackSnapshot: MediaPlaybackSnapshot? {
        guard let info else { return nil }
        let rate = Float(info.number(MPNowPlayingInfoPropertyPlaybackRate) ?? (state == .playing ? 1 : 0))
        let usual = Float(info.number(MPNowPlayingInfoPropertyDefaultPlaybackRate) ?? 1)
        let shown: MediaPlaybackSnapshot.PlaybackState =
            switch state {
            case .playing: .playing(rate: rate == 0 ? 1 : rate)
            case .paused: .paused
            case .stopped: .stopped
            case .interrupted: .interrupted
            case .unknown: rate == 0 ? .paused : .playing(rate: rate)
            }
        return MediaPlaybackSnapshot(
            state: shown, defaultPlaybackRate: usual > 0 ? usual : 1,
            elapsedTime: info.number(MPNowPlayingInfoPropertyElapsedPlaybackTime), timestamp: info.date)
    }
}
