/// A thing that an app is about, such as a song, an album or a station.
///
/// The protocol has only the part of the original that names entities, because no assistant on Linux queries them.
///
/// Source: AppIntents, iOS 27 SDK.
public protocol AppEntity: Identifiable, Sendable where ID: EntityIdentifierConvertible {}

/// A query for an app's entities.
///
/// Source: AppIntents, iOS 27 SDK.
public protocol EntityQuery: Sendable {
    /// The type of the entities.
    associatedtype Entity: AppEntity
    /// Creates a query.
    init()
    /// Returns the entities with some identifiers. Entities that don't exist are omitted.
    func entities(for identifiers: [Entity.ID]) async throws -> [Entity]
}

/// The name of a kind of entity.
///
/// Source: AppIntents, iOS 27 SDK.
public struct TypeDisplayRepresentation: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The name.
    public var name: String
    /// Creates a name.
    public init(name: String) { self.name = name }
    /// Creates a name from a string literal.
    public init(stringLiteral value: String) { name = value }
}

/// The title and subtitle of an entity.
///
/// Source: AppIntents, iOS 27 SDK.
public struct DisplayRepresentation: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The title.
    public var title: String
    /// The subtitle; `nil` if there is none.
    public var subtitle: String?
    /// Creates a representation with a title and an optional subtitle.
    public init(title: String, subtitle: String? = nil) { (self.title, self.subtitle) = (title, subtitle) }
    /// Creates a representation with a title.
    public init(stringLiteral value: String) { (title, subtitle) = (value, nil) }
}
