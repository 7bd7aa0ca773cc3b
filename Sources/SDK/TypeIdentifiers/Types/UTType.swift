import Foundation

/// A type of data, file or protocol, named by a uniform type identifier such as `public.mpeg-4`.
///
/// Types form a hierarchy: an MPEG-4 movie is a movie, which is audiovisual content, which is data. Known are a table of
/// media types and what the running program's `Info.plist` declares. Two types are equal if their identifiers are.
public struct UTType: Sendable {
    /// What is known of the type; for an undeclared one, its identifier and what the program said it conforms to.
    package let declaration: TypeDeclaration

    /// Makes a type from what is known of it, whether or not this program declares it.
    package init(_ declaration: TypeDeclaration) { self.declaration = declaration }

    /// The type of an identifier, compared without regard to case.
    ///
    /// `nil` if it is neither a known type, nor declared by the program, nor a well-formed dynamic identifier.
    public init?(_ identifier: String) {
        if let declared = TypeRegistry.current.declaration(identifier) {
            self.init(declared)
        } else if let dynamic = DynamicIdentifier(identifier) {
            self.init(dynamic.declaration)
        } else {
            return nil
        }
    }

    /// A type that this program exports: its own, declared under `UTExportedTypeDeclarations`.
    ///
    /// Always succeeds. Where the declaration is missing, the type conforms to `parentType` alone.
    ///
    /// - Parameters:
    ///   - identifier: The type's identifier.
    ///   - parentType: What an undeclared type conforms to; `nil` means ``data``.
    public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.init(declaredAs: identifier, conformingTo: parentType)
    }

    /// A type of another program, declared under `UTImportedTypeDeclarations` where this program describes it.
    ///
    /// Always succeeds. Where nobody declares it, the type conforms to `parentType` alone.
    ///
    /// - Parameters:
    ///   - identifier: The type's identifier.
    ///   - parentType: What an undeclared type conforms to; `nil` means ``data``.
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

    /// The name for people; for a program's own type its `UTTypeDescription`. `nil` where nobody gave one.
    public var localizedDescription: String? { declaration.description }

    /// The version of the declaration; `nil` where it has none.
    public var version: Int? { declaration.version }

    /// Where the type is described; `nil` where the declaration does not tell.
    public var referenceURL: URL? { declaration.referenceURL.flatMap { URL(string: $0) } }

    /// Whether the type stands for a tag, such as a filename extension, that no declared type has.
    public var isDynamic: Bool { DynamicIdentifier.isDynamic(identifier) }

    /// Whether the type is known to the system or declared by this program.
    public var isDeclared: Bool { TypeRegistry.current.declaration(identifier) != nil }

    /// Whether the identifier is in the `public` domain, which nobody owns.
    public var isPublic: Bool { identifier.hasPrefix("public.") }
}

extension UTType {
    /// Every type this one conforms to, directly or not; without itself.
    public var supertypes: Set<UTType> {
        Set(TypeRegistry.current.ancestors(of: declaration).map(UTType.init))
    }

    /// Whether this type is another or a kind of it. Every type conforms to itself.
    public func conforms(to type: UTType) -> Bool {
        self == type || isSubtype(of: type)
    }

    /// Whether this type is a kind of another; false for the type itself.
    public func isSubtype(of type: UTType) -> Bool {
        self != type && TypeRegistry.current.ancestors(of: declaration).contains { $0.identifier == type.identifier }
    }

    /// Whether another type is a kind of this one; false for the type itself.
    public func isSupertype(of type: UTType) -> Bool { type.isSubtype(of: self) }
}

extension UTType: Hashable {
    /// Whether both identifiers are the same.
    public static func == (left: UTType, right: UTType) -> Bool { left.identifier == right.identifier }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension UTType: Codable {
    /// Reads an identifier; one that nobody declares makes an undeclared type.
    public init(from decoder: any Decoder) throws {
        self.init(importedAs: try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the identifier as one string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(identifier)
    }
}

extension UTType: CustomStringConvertible, CustomDebugStringConvertible {
    /// The identifier.
    public var description: String { identifier }

    /// The identifier with what the type is.
    public var debugDescription: String {
        let kind = isDynamic ? "dynamic" : isDeclared ? "declared" : "not declared"
        return "<UTType \(identifier) (\(kind))>"
    }
}
