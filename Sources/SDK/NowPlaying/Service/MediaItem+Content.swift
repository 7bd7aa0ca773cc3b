import Foundation
import HostInterface

extension MediaItem {
    init(_ content: any MediaContentRepresentable) {
        let lines = Lines(content)
        self.init(id: content.id, kind: lines.kind, isVideo: content.type == .video, title: lines.title)
        subtitle = lines.subtitle.flatMap { $0.isEmpty ? nil : $0 }
        collection = lines.collection.flatMap { $0.isEmpty ? nil : $0 }
        switch content.duration {
        case .finite(let seconds) where seconds.isFinite && seconds >= 0:
            extent = .finite
            duration = seconds
        case .live: extent = .live
        case .continuous: extent = .continuous
        case .finite, nil: break
        }
        artworkID = content.artwork?.id
        animatedArtworkID = content.animatedArtwork?.id
        animatedArtworkRatios = content.animatedArtwork?.supportedAspectRatios.map(\.word)
        isExplicit = content.isExplicit
        genre = content.genre
        collectionID = content.collectionID
        serviceID = content.serviceID
        isExcludedFromSuggestions = content.isExcludedFromSuggestions
        let entities = content.appEntityIdentifiers.map(\.description)
        entityIdentifiers = entities.isEmpty ? nil : entities
        switch content {
        case let music as MusicContent:
            composer = music.composer
            isrc = music.isrc
        case let podcast as PodcastContent: releaseDate = podcast.releaseDate?.timeIntervalSince1970
        case let book as BookContent:
            narrator = book.narratorName
            chapter = book.chapter?.current
            chapterCount = book.chapter?.total
        default: break
        }
    }

    /// The texts that surfaces show for an item of any kind.
    private struct Lines {
        var kind: Kind
        var title: String
        var subtitle: String?
        var collection: String?

        init(_ content: any MediaContentRepresentable) {
            switch content {
            case let music as MusicContent:
                (kind, title, subtitle, collection) = (.music, music.songTitle, music.artistName, music.albumName)
            case let podcast as PodcastContent:
                (kind, title, subtitle, collection) = (
                    .podcast, podcast.episodeTitle, podcast.showName, podcast.showName
                )
            case let movie as MovieContent: (kind, title) = (.movie, movie.title)
            case let show as TVShowContent:
                (kind, title, subtitle, collection) = (.tvShow, show.episodeTitle, show.showName, show.showName)
            case let book as BookContent: (kind, title, subtitle) = (.book, book.title, book.authorName)
            case let radio as RadioContent:
                (kind, title) = (.radio, radio.programName ?? radio.stationName)
                subtitle = radio.programName == nil ? nil : radio.stationName
            case let home as HomeMediaContent:
                (kind, title, subtitle) = (.homeMedia, home.sourceName, home.contentDescription)
            case let generic as GenericContent: (kind, title, subtitle) = (.generic, generic.title, generic.subtitle)
            default: (kind, title) = (.generic, content.id)
            }
        }
    }
}
