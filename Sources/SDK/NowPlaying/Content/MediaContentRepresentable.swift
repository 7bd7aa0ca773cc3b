import AppEntities

/// An item that plays: a song, an episode, a film, a station.
///
/// Use one of the eight structures of this module; a type of your own shows what this protocol has, under its
/// ``id``, as nothing here tells its title.
///
/// Source: NowPlaying, iOS 27 SDK.
public protocol MediaContentRepresentable: Identifiable {
    /// Identifies the item: the same item has the same one, in every session.
    var id: String { get }
    /// Whether it is heard or seen.
    var type: MediaType { get }
    /// How long it is; `nil` where that is not known.
    var duration: MediaDuration? { get }
    /// Its picture, pulled at the size a surface wants.
    var artwork: Artwork? { get }
    /// Its moving picture; it comes with an ``artwork``.
    var animatedArtwork: AnimatedArtwork? { get }
    /// Whether it is marked as explicit; `nil` where that is not known.
    var isExplicit: Bool? { get set }
    /// Its genre, in the person's language.
    var genre: String? { get set }
    /// Identifies the album, playlist or show it belongs to. Opaque.
    var collectionID: String? { get set }
    /// Identifies the channel or provider it comes from. Opaque.
    var serviceID: String? { get set }
    /// Whether it must not be suggested to the person later; `nil` counts as `false`.
    var isExcludedFromSuggestions: Bool? { get set }
    /// The app's entities that it belongs to; programs read them over D-Bus.
    var appEntityIdentifiers: [EntityIdentifier] { get set }
}

extension MediaContentRepresentable {
    /// For a type that has none: always empty, also after a write.
    public var appEntityIdentifiers: [EntityIdentifier] {
        get { [] }
        set {}
    }
}
