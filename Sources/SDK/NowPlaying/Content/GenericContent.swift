import AppEntities

/// An item that is nothing more particular.
///
/// Source: NowPlaying, iOS 27 SDK.
public struct GenericContent: MediaContentRepresentable {
    /// Identifies the item.
    public let id: String
    /// Its first line.
    public let title: String
    /// Its second line.
    public let subtitle: String?
    /// Whether it is heard or seen.
    public let type: MediaType
    /// How long it is; `nil` where that is not known.
    public let duration: MediaDuration?
    /// Its picture.
    public let artwork: Artwork?
    /// Its moving picture; one comes with a picture that stands still.
    public let animatedArtwork: AnimatedArtwork?
    /// Whether it is marked as explicit; `nil` where that is not known.
    public var isExplicit: Bool?
    /// Its genre, in the person's language.
    public var genre: String?
    /// Identifies the collection it belongs to. Opaque.
    public var collectionID: String?
    /// Identifies the channel or provider it comes from. Opaque.
    public var serviceID: String?
    /// Whether it must not be suggested to the person later; `nil` counts as `false`.
    public var isExcludedFromSuggestions: Bool?
    /// The app's entities that it belongs to.
    public var appEntityIdentifiers: [EntityIdentifier] = []

    /// An item with a picture, or none.
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

    /// An item with a picture and a moving one.
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
