import Foundation
import NowPlaying

extension Model {
    var content: (any MediaContentRepresentable)? {
        guard hasContent else { return nil }
        let (artwork, duration) = (artwork, length < 0 ? MediaDuration.live : .finite(length))
        switch kind {
        case "podcast":
            return PodcastContent(
                id: item, episodeTitle: title, showName: "Show", releaseDate: nil, type: .audio, duration: duration,
                artwork: artwork)
        case "movie": return MovieContent(id: item, title: title, duration: duration, artwork: artwork)
        case "episode":
            return TVShowContent(
                id: item, episodeTitle: title, showName: "Show", duration: duration, artwork: artwork)
        case "book":
            return BookContent(id: item, title: title, authorName: "Author", duration: duration, artwork: artwork)
        case "radio": return RadioContent(id: item, stationName: "Station", programName: title, artwork: artwork)
        case "home":
            return HomeMediaContent(
                id: item, sourceName: title, contentDescription: "Nursery", type: .video, duration: nil,
                artwork: artwork)
        case "generic":
            return GenericContent(
                id: item, title: title, subtitle: "Rain", type: .audio, duration: .continuous, artwork: artwork)
        default:
            var content = MusicContent(
                id: item, songTitle: title, artistName: "Artist", albumName: album, type: .audio, duration: duration,
                artwork: artwork)
            content.genre = "Test"
            content.isExplicit = true
            return content
        }
    }

    private var artwork: Artwork? {
        guard !picture.isEmpty else { return nil }
        let picture = picture
        return Artwork(id: picture) { size in
            print("artwork \(picture) \(Int(size.width))x\(Int(size.height))")
            guard let url = URL(string: picture), url.scheme == "http" else {
                return try ArtworkRepresentation(data: Data(contentsOf: URL(filePath: picture)))
            }
            let (data, _) = try await URLSession.shared.data(from: url)
            return try ArtworkRepresentation(data: data)
        }
    }
}
