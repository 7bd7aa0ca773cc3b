/// The body of an event: changed state variables of a service.
package struct PropertySet: Sendable, Hashable {
    /// Variable name to value, white space around removed.
    package var values: [String: String]

    /// - Source: UPnP Device Architecture 1.1, section 4.3.1.
    package init(parsing document: some Sequence<UInt8>) throws(DLNAError) {
        let root = try XMLReader.parse(document)
        guard root.name == "propertyset" else { throw .unexpected(root.name) }
        let variables = root.children("property").flatMap(\.children)
        values = Dictionary(variables.map { ($0.name, $0.trimmedText) }) { _, last in last }
    }
}
