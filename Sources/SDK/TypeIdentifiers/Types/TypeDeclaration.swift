/// An entry of the type hierarchy, from the table or from a property list.
package struct TypeDeclaration: Sendable, Hashable {
    package var identifier: String
    /// The name for people.
    package var description: String?
    /// The identifiers of the direct supertypes.
    package var parents: [String]
    /// The tags by tag class, the preferred one first.
    package var tags: [String: [String]]
    package var version: Int?
    package var referenceURL: String?
    /// The symbol name from `UTTypeIcons`.
    package var symbolName: String?

    package init(
        identifier: String, description: String? = nil, parents: [String] = [], tags: [String: [String]] = [:],
        version: Int? = nil, referenceURL: String? = nil, symbolName: String? = nil
    ) {
        self.identifier = identifier
        self.description = description
        self.parents = parents
        self.tags = tags
        self.version = version
        self.referenceURL = referenceURL
        self.symbolName = symbolName
    }
}
