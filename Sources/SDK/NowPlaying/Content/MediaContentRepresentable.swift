public import AppEntities

/// An item that plays, such as a song, an episode, a film or a station.
///
/// Use one of the eight structures of this module. A type of your own shows its ``id`` as the title, because this
/// protocol has no title.
///
/// Source: NowPlaying, iOS 27 SDK.
public protocol MediaContentRepresentable: Identifiable {
    /// The identifier of the item, the same in every session.
    var id: String { get }
    /// The kind of media: audio or video.
    var type: MediaType { get }
    /// The duration; `nil` if unknown.
    var duration: MediaDuration? { get }
    /// The artwork. Surfaces request it at the size they need.
    var artwork: Artwork? { get }
    /// The animated artwork. It always accompanies an ``artwork``.
    var animatedArtwork: AnimatedArtwork? { get }
    /// A Boolean value that indicates whether the item is marked as explicit; `nil` if unknown.
    var isExplicit: Bool? { get set }
    /// The genre, in the person's language.
    var genre: String? { get set }
    /// The opaque identifier of the item's album, playlist or show.
    var collectionID: String? { get set }
    /// The opaque identifier of the item's channel or provider.
    var serviceID: String? { get set }
    /// A Boolean value that excludes the item from later suggestions; `nil` counts as `false`.
    var isExcludedFromSuggestions: Bool? { get set }
    /// The app entities that the item belongs to. Programs read them over D-Bus.
    var appEntityIdentifiers: [EntityIdentifier] { get set }
}

extension MediaContentRepresentable {
    /// For a type without a property of its own: kept for the item of this ``id``, so every value that stands for the item has
    /// them. Of one type 1,000 items are kept, those written last.
    public var appEntityIdentifiers: [EntityIdentifier] {
        get { EntityShelf.shared.entities(of: Self.self, id) }
        set { EntityShelf.shared.keep(newValue, of: Self.self, id) }
    }
}
