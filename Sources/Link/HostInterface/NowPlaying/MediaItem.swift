/// What plays, as every surface can show it.
package struct MediaItem: Codable, Sendable, Hashable, Identifiable {
    package enum Kind: String, Codable, Sendable {
        case music, podcast, movie, tvShow = "tv-show", book, radio, homeMedia = "home-media", generic
    }

    /// How long it is; `nil` at ``MediaItem/extent``: not known.
    package enum Extent: String, Codable, Sendable {
        /// ``MediaItem/duration`` tells.
        case finite
        /// A broadcast.
        case live
        /// Without an end, and no broadcast.
        case continuous
    }

    /// Of the track, episode or film.
    package var id: String
    package var kind: Kind
    package var isVideo: Bool
    package var title: String
    /// The second line: artist, author, show, programme.
    package var subtitle: String?
    /// Album or show.
    package var collection: String?
    package var extent: Extent?
    /// Seconds; where ``extent`` is live, how far back it can be moved, `nil` for nowhere.
    package var duration: Double?

    /// The key of the picture: another one means another picture.
    package var artworkID: String?
    /// Where the picture is, for a session whose owner does not draw it itself.
    package var artworkURL: String?
    package var animatedArtworkID: String?
    /// `square`, `tall`.
    package var animatedArtworkRatios: [String]?

    package var isExplicit: Bool?
    package var genre: String?
    package var collectionID: String?
    package var serviceID: String?
    package var isExcludedFromSuggestions: Bool?
    /// The app's entities it belongs to, as `Type/identifier`.
    package var entityIdentifiers: [String]?
    package var composer: String?
    package var isrc: String?
    package var narrator: String?
    package var chapter: Int?
    package var chapterCount: Int?
    /// Seconds since 1970.
    package var releaseDate: Double?
    /// The address of what plays, where there is one.
    package var url: String?

    package init(id: String, kind: Kind, isVideo: Bool, title: String) {
        self.id = id
        self.kind = kind
        self.isVideo = isVideo
        self.title = title
    }

    /// Where a position cannot pass.
    package var end: Double? { extent == .finite ? duration : nil }
}
