import Foundation
import NowPlaying

/// Every kind of content, with a still picture and with an animated one.
public enum Contents {
    static let cover = Artwork(id: "cover") { _ in
        throw ArtworkRepresentation.ArtworkRepresentationError.noRepresentationAvailable
    }

    static let loop = AnimatedArtwork(id: "loop", supportedAspectRatios: [.square, .tall]) { size, ratio in
        try ArtworkRepresentation(data: Data([0xFF, 0xD8, 0xFF, UInt8(ratio == .tall ? 1 : 0)]))
    } video: { size, ratio in
        URL(filePath: "/tmp/loop-\(ratio == .tall ? "3x4" : "1x1").mp4")
    }

    public static func all(releaseDate: Date) -> [any MediaContentRepresentable] {
        var book = BookContent(
            id: "book", title: "Title", authorName: "Author", narratorName: "Narrator", duration: .finite(36_000),
            artwork: cover)
        book.chapter = (current: 3, total: 12)
        var song = MusicContent(
            id: "song", songTitle: "Title", artistName: "Artist", albumName: "Album", type: .audio,
            duration: .finite(200), artwork: cover, animatedArtwork: loop)
        song.composer = "Composer"
        song.isrc = "USRC17607839"
        song.isExplicit = false
        song.serviceID = "com.example.music"
        song.isExcludedFromSuggestions = true
        return [
            song,
            PodcastContent(
                id: "episode", episodeTitle: "Title", showName: "Show", releaseDate: releaseDate, type: .audio,
                duration: .finite(1800), artwork: cover),
            MovieContent(id: "movie", title: "Title", duration: .finite(7200), artwork: cover),
            TVShowContent(
                id: "tv", episodeTitle: "Title", showName: "Show", duration: .finite(2700), artwork: cover,
                animatedArtwork: loop),
            book,
            RadioContent(id: "radio", stationName: "Station", artwork: cover),
            HomeMediaContent(
                id: "nursery", sourceName: "Nursery", contentDescription: "Camera", type: .video, duration: .live,
                artwork: nil),
            GenericContent(
                id: "soundscape", title: "Rain", subtitle: "Ambient", type: .audio, duration: .continuous,
                artwork: cover),
        ]
    }
}
