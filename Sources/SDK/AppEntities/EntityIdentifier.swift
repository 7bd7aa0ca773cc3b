import Foundation

/// Names one of an app's entities: its type and its identifier.
///
/// Set on content with `appEntityIdentifiers`; programs read it over D-Bus (docs/now-playing.md).
///
/// Source: AppIntents, iOS 27 SDK.
public struct EntityIdentifier: Hashable, Sendable, CustomStringConvertible {
    /// The entity's type, without its module.
    public let entityType: String
    /// The entity's identifier as text.
    public let identifier: String

    /// Names an entity of a type by its identifier.
    public init<Entity: AppEntity>(for type: Entity.Type, identifier: Entity.ID) {
        entityType = String(describing: type)
        self.identifier = identifier.entityIdentifierString
    }

    /// Names an entity.
    public init<Entity: AppEntity>(for entity: Entity) {
        self.init(for: Entity.self, identifier: entity.id)
    }

    /// `SongEntity/42`.
    public var description: String { entityType + "/" + identifier }
}

/// An identifier that has a textual form.
///
/// Source: AppIntents, iOS 27 SDK.
public protocol EntityIdentifierConvertible: Hashable, Sendable {
    /// The identifier as text.
    var entityIdentifierString: String { get }
    /// The identifier of a text; `nil` where it isn't one.
    static func entityIdentifier(for text: String) -> Self?
}

extension String: EntityIdentifierConvertible {
    /// The text itself.
    public var entityIdentifierString: String { self }
    /// The text itself.
    public static func entityIdentifier(for text: String) -> String? { text }
}

extension Int: EntityIdentifierConvertible {
    /// In decimal digits.
    public var entityIdentifierString: String { String(self) }
    /// From decimal digits.
    public static func entityIdentifier(for text: String) -> Int? { Int(text) }
}

extension UUID: EntityIdentifierConvertible {
    /// As `uuidString`.
    public var entityIdentifierString: String { uuidString }
    /// From `uuidString`.
    public static func entityIdentifier(for text: String) -> UUID? { UUID(uuidString: text) }
}
