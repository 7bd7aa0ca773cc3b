/// One entry of the type hierarchy, from the table or from a property list.
package struct TypeDeclaration: Sendable, Hashable {
    package var identifier: String
    /// The name for people.
    package var description: String?
    /// Identifiers of the types it conforms to directly.
    package var parents: [String]
    /// Tag class to tags, the preferred one first.
    package var tags: [String: [String]]
    package var version: Int?
    package var referenceURL: String?
    /// Symbol name from `UTTypeIcons`.
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
