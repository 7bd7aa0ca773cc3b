public import Foundation

/// The identifier of an app's entity: its type and its own identifier.
///
/// Assign it to `appEntityIdentifiers` of content. Programs read it over D-Bus (docs/now-playing.md).
///
/// Source: AppIntents, iOS 27 SDK.
public struct EntityIdentifier: Hashable, Sendable, CustomStringConvertible {
    /// The type of the entity, without its module.
    public let entityType: String
    /// The entity's own identifier as text.
    public let identifier: String

    /// Creates an identifier from a type and the entity's own identifier.
    public init<Entity: AppEntity>(for type: Entity.Type, identifier: Entity.ID) {
        entityType = String(describing: type)
        self.identifier = identifier.entityIdentifierString
    }

    /// Creates the identifier of an entity.
    public init<Entity: AppEntity>(for entity: Entity) {
        self.init(for: Entity.self, identifier: entity.id)
    }

    /// The type and identifier, such as `SongEntity/42`.
    public var description: String { entityType + "/" + identifier }
}

/// An identifier that can be converted to text.
///
/// Source: AppIntents, iOS 27 SDK.
public protocol EntityIdentifierConvertible: Hashable, Sendable {
    /// The identifier as text.
    var entityIdentifierString: String { get }
    /// Returns the identifier for a text; `nil` if the text isn't one.
    static func entityIdentifier(for text: String) -> Self?
}

extension String: EntityIdentifierConvertible {
    /// The text itself.
    public var entityIdentifierString: String { self }
    /// Returns the text itself.
    public static func entityIdentifier(for text: String) -> String? { text }
}

extension Int: EntityIdentifierConvertible {
    /// The decimal digits.
    public var entityIdentifierString: String { String(self) }
    /// Returns the number for decimal digits; `nil` for other text.
    public static func entityIdentifier(for text: String) -> Int? { Int(text) }
}

extension UUID: EntityIdentifierConvertible {
    /// The text of `uuidString`.
    public var entityIdentifierString: String { uuidString }
    /// Returns the UUID for the text of `uuidString`; `nil` for other text.
    public static func entityIdentifier(for text: String) -> UUID? { UUID(uuidString: text) }
}
