import AppEntities

/// A radio station.
///
/// Source: NowPlaying, iOS 27 SDK.
public struct RadioContent: MediaContentRepresentable {
    /// Identifies the item.
    public let id: String
    /// The station.
    public let stationName: String
    /// What it broadcasts now.
    public let programName: String?
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
        id: String, stationName: String, programName: String? = nil, type: MediaType = .audio,
        duration: MediaDuration? = .live, artwork: Artwork?
    ) {
        self.id = id
        self.stationName = stationName
        self.programName = programName
        self.type = type
        self.duration = duration
        self.artwork = artwork
        animatedArtwork = nil
    }

    /// An item with a picture and a moving one.
    public init(
        id: String, stationName: String, programName: String? = nil, type: MediaType = .audio,
        duration: MediaDuration? = .live, artwork: Artwork, animatedArtwork: AnimatedArtwork?
    ) {
        self.id = id
        self.stationName = stationName
        self.programName = programName
        self.type = type
        self.duration = duration
        self.artwork = artwork
        self.animatedArtwork = animatedArtwork
    }
}
