/// One of the things that an app is about: a song, an album, a station.
///
/// As much of the original as naming entities takes: no assistant queries them on Linux.
///
/// Source: AppIntents, iOS 27 SDK.
public protocol AppEntity: Identifiable, Sendable where ID: EntityIdentifierConvertible {}

/// How an app finds its entities.
///
/// Source: AppIntents, iOS 27 SDK.
public protocol EntityQuery: Sendable {
    /// What is found.
    associatedtype Entity: AppEntity
    /// Makes the query.
    init()
    /// The entities of identifiers; those that do not exist are left out.
    func entities(for identifiers: [Entity.ID]) async throws -> [Entity]
}

/// The name of a kind of entity.
///
/// Source: AppIntents, iOS 27 SDK.
public struct TypeDisplayRepresentation: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The name.
    public var name: String
    /// A name.
    public init(name: String) { self.name = name }
    /// A name.
    public init(stringLiteral value: String) { name = value }
}

/// How an entity is shown.
///
/// Source: AppIntents, iOS 27 SDK.
public struct DisplayRepresentation: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The first line.
    public var title: String
    /// The second line.
    public var subtitle: String?
    /// A first line, and perhaps a second one.
    public init(title: String, subtitle: String? = nil) { (self.title, self.subtitle) = (title, subtitle) }
    /// A first line.
    public init(stringLiteral value: String) { (title, subtitle) = (value, nil) }
}
