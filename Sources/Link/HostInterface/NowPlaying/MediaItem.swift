/// The current item, as every surface can show it.
package struct MediaItem: Codable, Sendable, Hashable, Identifiable {
    package enum Kind: String, Codable, Sendable {
        case music, podcast, movie, tvShow = "tv-show", book, radio, homeMedia = "home-media", generic
    }

    /// The kind of duration; `nil` in ``MediaItem/extent`` if unknown.
    package enum Extent: String, Codable, Sendable {
        /// The duration is ``MediaItem/duration``.
        case finite
        /// The item is a broadcast.
        case live
        /// The item is endless, but not a broadcast.
        case continuous
    }

    /// The identifier of the track, episode or film.
    package var id: String
    package var kind: Kind
    package var isVideo: Bool
    package var title: String
    /// The second line: artist, author, show or program.
    package var subtitle: String?
    /// The album or show.
    package var collection: String?
    package var extent: Extent?
    /// The duration in seconds. For a live ``extent``, the time by which it can be rewound; `nil` if it can't.
    package var duration: Double?

    /// The key of the picture. Another key means another picture.
    package var artworkID: String?
    /// The URL of the picture, for a session whose owner doesn't draw it.
    package var artworkURL: String?
    package var animatedArtworkID: String?
    /// The aspect ratios: `square`, `tall`.
    package var animatedArtworkRatios: [String]?

    package var isExplicit: Bool?
    package var genre: String?
    package var collectionID: String?
    package var serviceID: String?
    package var isExcludedFromSuggestions: Bool?
    /// The app entities that the item belongs to, as `Type/identifier`.
    package var entityIdentifiers: [String]?
    package var composer: String?
    package var isrc: String?
    package var narrator: String?
    package var chapter: Int?
    package var chapterCount: Int?
    /// The release date in seconds since 1970.
    package var releaseDate: Double?
    /// The URL of the item; `nil` if there is none.
    package var url: String?

    package init(id: String, kind: Kind, isVideo: Bool, title: String) {
        self.id = id
        self.kind = kind
        self.isVideo = isVideo
        self.title = title
    }

    /// The highest position; `nil` if there is none.
    package var end: Double? { extent == .finite ? duration : nil }
}
