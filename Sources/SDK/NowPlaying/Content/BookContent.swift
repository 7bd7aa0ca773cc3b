public import AppEntities

/// An audiobook.
///
/// Source: NowPlaying, iOS 27 SDK.
public struct BookContent: MediaContentRepresentable {
    /// The identifier of the item, the same in every session.
    public let id: String
    /// The title of the book.
    public let title: String
    /// The name of the writer.
    public let authorName: String
    /// The name of the narrator.
    public let narratorName: String?
    /// The kind of media: audio or video.
    public let type: MediaType
    /// The duration; `nil` if unknown.
    public let duration: MediaDuration?
    /// The artwork; `nil` if there is none.
    public let artwork: Artwork?
    /// The animated artwork. It always accompanies an ``artwork``.
    public let animatedArtwork: AnimatedArtwork?
    /// The current chapter and the number of chapters. Surfaces show both as given, so number chapters from 1.
    public var chapter: (current: Int, total: Int)?
    /// A Boolean value that indicates whether the item is marked as explicit; `nil` if unknown.
    public var isExplicit: Bool?
    /// The genre, in the person's language.
    public var genre: String?
    /// The opaque identifier of the item's collection, such as an album or a show.
    public var collectionID: String?
    /// The opaque identifier of the item's channel or provider.
    public var serviceID: String?
    /// A Boolean value that excludes the item from later suggestions; `nil` counts as `false`.
    public var isExcludedFromSuggestions: Bool?
    /// The app entities that the item belongs to.
    public var appEntityIdentifiers: [EntityIdentifier] = []

    /// Creates an item with artwork or without.
    public init(
        id: String, title: String, authorName: String, narratorName: String? = nil, type: MediaType = .audio,
        duration: MediaDuration?, artwork: Artwork?
    ) {
        self.id = id
        self.title = title
        self.authorName = authorName
        self.narratorName = narratorName
        self.type = type
        self.duration = duration
        self.artwork = artwork
        animatedArtwork = nil
    }

    /// Creates an item with artwork and animated artwork.
    public init(
        id: String, title: String, authorName: String, narratorName: String? = nil, type: MediaType = .audio,
        duration: MediaDuration?, artwork: Artwork, animatedArtwork: AnimatedArtwork?
    ) {
        self.id = id
        self.title = title
        self.authorName = authorName
        self.narratorName = narratorName
        self.type = type
        self.duration = duration
        self.artwork = artwork
        self.animatedArtwork = animatedArtwork
    }
}
