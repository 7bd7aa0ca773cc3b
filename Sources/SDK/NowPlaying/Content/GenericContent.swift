public import AppEntities

/// An item of a kind that has no type of its own.
///
/// Source: NowPlaying, iOS 27 SDK.
public struct GenericContent: MediaContentRepresentable {
    /// The identifier of the item, the same in every session.
    public let id: String
    /// The first line of text.
    public let title: String
    /// The second line of text.
    public let subtitle: String?
    /// The kind of media: audio or video.
    public let type: MediaType
    /// The duration; `nil` if unknown.
    public let duration: MediaDuration?
    /// The artwork; `nil` if there is none.
    public let artwork: Artwork?
    /// The animated artwork. It always accompanies an ``artwork``.
    public let animatedArtwork: AnimatedArtwork?
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
        id: String, title: String, subtitle: String? = nil, type: MediaType, duration: MediaDuration?, artwork: Artwork?
    ) {
        self.id = id
        self.title = title
        self.subtitle = subtitle
        self.type = type
        self.duration = duration
        self.artwork = artwork
        animatedArtwork = nil
    }

    /// Creates an item with artwork and animated artwork.
    public init(
        id: String, title: String, subtitle: String? = nil, type: MediaType, duration: MediaDuration?, artwork: Artwork,
        animatedArtwork: AnimatedArtwork?
    ) {
        self.id = id
        self.title = title
        self.subtitle = subtitle
        self.type = type
        self.duration = duration
        self.artwork = artwork
        self.animatedArtwork = animatedArtwork
    }
}
