/// All declared types, by identifier and by tag.
package struct TypeRegistry: Sendable {
    /// The declarations by lower-case identifier.
    private var declarations: [String: TypeDeclaration] = [:]
    /// The lower-case identifiers by tag class and lower-case tag, in order of declaration.
    private var identifiers: [Tag: [String]] = [:]

    private struct Tag: Hashable {
        let tagClass: String
        let tag: String
    }

    /// The registry of the table of media types.
    package static let system = TypeRegistry(SystemTypes.all)

    /// The registry of the table and the running program's declarations.
    private static let program: TypeRegistry = {
        let information = ProgramInformation.current
        return system.adding(information.exportedTypes + information.importedTypes)
    }()

    /// The registry that every `UTType` uses. Tests bind another one.
    @TaskLocal package static var current = program

    package init(_ declarations: [TypeDeclaration]) {
        for declaration in declarations { add(declaration) }
    }

    /// Returns a registry with more types. A type that is already declared keeps its first declaration.
    package func adding(_ more: [TypeDeclaration]) -> TypeRegistry {
        var registry = self
        for declaration in more { registry.add(declaration) }
        return registry
    }

    private mutating func add(_ declaration: TypeDeclaration) {
        let key = declaration.identifier.lowercased()
        guard declarations[key] == nil else { return }
        declarations[key] = declaration
        for (tagClass, tags) in declaration.tags {
            for tag in tags { identifiers[Tag(tagClass: tagClass, tag: tag.lowercased()), default: []].append(key) }
        }
    }

    package func declaration(_ identifier: String) -> TypeDeclaration? {
        declarations[identifier.lowercased()]
    }

    package func declarations(tag: String, tagClass: String) -> [TypeDeclaration] {
        (identifiers[Tag(tagClass: tagClass, tag: tag.lowercased())] ?? []).compactMap { declarations[$0] }
    }

    /// Returns all supertypes of a type, nearest first. Circular declarations end where they repeat.
    ///
    /// An undeclared supertype is included with only its identifier.
    package func ancestors(of declaration: TypeDeclaration) -> [TypeDeclaration] {
        var seen: Set = [declaration.identifier.lowercased()]
        var found: [TypeDeclaration] = []
        var next = declaration.parents
        while !next.isEmpty {
            var further: [String] = []
            for identifier in next where seen.insert(identifier.lowercased()).inserted {
                let parent = self.declaration(identifier) ?? TypeDeclaration(identifier: identifier)
                found.append(parent)
                further += parent.parents
            }
            next = further
        }
        return found
    }
}
