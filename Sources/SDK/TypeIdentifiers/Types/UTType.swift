public import Foundation

/// A type of data, file or protocol, identified by a uniform type identifier such as `public.mpeg-4`.
///
/// Types form a hierarchy: an MPEG-4 movie is a movie, which is audiovisual content, which is data. The known types are
/// a table of media types and the declarations in the running program's `Info.plist`. Two types are equal if their
/// identifiers are.
public struct UTType: Sendable {
    /// The declaration of the type. For an undeclared type it has the identifier and the given supertype.
    package let declaration: TypeDeclaration

    /// Creates a type from a declaration, whether or not this program declares it.
    package init(_ declaration: TypeDeclaration) { self.declaration = declaration }

    /// Creates the type with an identifier, ignoring case.
    ///
    /// - Returns: `nil` if the type isn't known, this program doesn't declare it, and the identifier isn't a valid
    ///   dynamic one.
    public init?(_ identifier: String) {
        if let declared = TypeRegistry.current.declaration(identifier) {
            self.init(declared)
        } else if let dynamic = DynamicIdentifier(identifier) {
            self.init(dynamic.declaration)
        } else {
            return nil
        }
    }

    /// Creates a type that this program exports, declared in `UTExportedTypeDeclarations`.
    ///
    /// The initializer always succeeds. If the declaration is missing, the type conforms only to `parentType`.
    ///
    /// - Parameters:
    ///   - identifier: The type's identifier.
    ///   - parentType: The supertype of an undeclared type; `nil` for ``data``.
    public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.init(declaredAs: identifier, conformingTo: parentType)
    }

    /// Creates a type of another program, which this program can declare in `UTImportedTypeDeclarations`.
    ///
    /// The initializer always succeeds. If the declaration is missing, the type conforms only to `parentType`.
    ///
    /// - Parameters:
    ///   - identifier: The type's identifier.
    ///   - parentType: The supertype of an undeclared type; `nil` for ``data``.
    public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.init(declaredAs: identifier, conformingTo: parentType)
    }

    private init(declaredAs identifier: String, conformingTo parentType: UTType?) {
        if let known = UTType(identifier) {
            self = known
        } else {
            let parent = (parentType ?? .data).identifier
            self.init(TypeDeclaration(identifier: identifier, parents: [parent]))
        }
    }

    /// The uniform type identifier, such as `public.mpeg-4`.
    public var identifier: String { declaration.identifier }

    /// The name for people; for a program's own type its `UTTypeDescription`. `nil` if there is none.
    public var localizedDescription: String? { declaration.description }

    /// The version of the declaration; `nil` if it has none.
    public var version: Int? { declaration.version }

    /// The URL of the type's documentation; `nil` if the declaration has none.
    public var referenceURL: URL? { declaration.referenceURL.flatMap { URL(string: $0) } }

    /// A Boolean value that indicates whether the type is dynamic: it represents a tag that no declared type has.
    public var isDynamic: Bool { DynamicIdentifier.isDynamic(identifier) }

    /// A Boolean value that indicates whether the system knows the type or this program declares it.
    public var isDeclared: Bool { TypeRegistry.current.declaration(identifier) != nil }

    /// A Boolean value that indicates whether the identifier is in the `public` domain.
    public var isPublic: Bool { identifier.hasPrefix("public.") }
}

extension UTType {
    /// All supertypes, direct and indirect, without the type itself.
    public var supertypes: Set<UTType> {
        Set(TypeRegistry.current.ancestors(of: declaration).map(UTType.init))
    }

    /// Returns a Boolean value that indicates whether this type equals another or is a subtype of it.
    public func conforms(to type: UTType) -> Bool {
        self == type || isSubtype(of: type)
    }

    /// Returns a Boolean value that indicates whether this type is a subtype of another; `false` for the type itself.
    public func isSubtype(of type: UTType) -> Bool {
        self != type && TypeRegistry.current.ancestors(of: declaration).contains { $0.identifier == type.identifier }
    }

    /// Returns a Boolean value that indicates whether this type is a supertype of another; `false` for the type itself.
    public func isSupertype(of type: UTType) -> Bool { type.isSubtype(of: self) }
}

extension UTType: Hashable {
    /// Returns a Boolean value that indicates whether two types have the same identifier.
    public static func == (left: UTType, right: UTType) -> Bool { left.identifier == right.identifier }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension UTType: Codable {
    /// Decodes an identifier. An unknown one gives an undeclared type.
    public init(from decoder: any Decoder) throws {
        self.init(importedAs: try decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the identifier as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(identifier)
    }
}

extension UTType: CustomStringConvertible, CustomDebugStringConvertible {
    /// The identifier.
    public var description: String { identifier }

    /// The identifier, and whether the type is declared or dynamic.
    public var debugDescription: String {
        let kind = isDynamic ? "dynamic" : isDeclared ? "declared" : "not declared"
        return "<UTType \(identifier) (\(kind))>"
    }
}
