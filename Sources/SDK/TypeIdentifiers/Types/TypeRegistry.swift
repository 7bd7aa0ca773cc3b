/// All declared types, found by identifier and by tag.
package struct TypeRegistry: Sendable {
    /// Lower-case identifier to declaration.
    private var declarations: [String: TypeDeclaration] = [:]
    /// Tag class and lower-case tag to lower-case identifiers, in order of declaration.
    private var identifiers: [Tag: [String]] = [:]

    private struct Tag: Hashable {
        let tagClass: String
        let tag: String
    }

    /// The table of media types alone.
    package static let system = TypeRegistry(SystemTypes.all)

    /// The table and what the running program declares.
    private static let program: TypeRegistry = {
        let information = ProgramInformation.current
        return system.adding(information.exportedTypes + information.importedTypes)
    }()

    /// What every `UTType` looks its answers up in; a test binds another one.
    @TaskLocal package static var current = program

    package init(_ declarations: [TypeDeclaration]) {
        for declaration in declarations { add(declaration) }
    }

    /// A registry with more types; a type that is declared already keeps its first declaration.
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

    /// Everything a type conforms to, nearest first, without itself; declarations that lead in a circle end there.
    ///
    /// A parent that nobody declares is an ancestor with nothing known but its identifier.
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
