/// One element of a parsed document: names without prefixes, namespaces resolved, entities decoded.
package struct XMLElement: Sendable, Hashable {
    /// The local name, e.g. `friendlyName`.
    package var name: String
    /// The namespace in scope; `nil` without one or with an undeclared prefix.
    package var namespace: String?
    /// Attributes by local name, `xmlns` declarations excluded; of two with one local name the first stays.
    package var attributes: [String: String]
    package var children: [XMLElement]
    /// All character data directly inside, concatenated, white space kept.
    package var text: String

    package init(
        name: String, namespace: String? = nil, attributes: [String: String] = [:], children: [XMLElement] = [],
        text: String = ""
    ) {
        self.name = name
        self.namespace = namespace
        self.attributes = attributes
        self.children = children
        self.text = text
    }

    /// The first child of that local name, whatever its namespace: devices disagree about namespaces far more often
    /// than two elements of one name meet.
    package func child(_ name: String) -> XMLElement? {
        children.first { $0.name == name }
    }

    package func children(_ name: String) -> [XMLElement] {
        children.filter { $0.name == name }
    }

    /// The text of a child without surrounding white space; `nil` if it is absent or empty.
    package func value(_ name: String) -> String? {
        guard let text = child(name)?.trimmedText, !text.isEmpty else { return nil }
        return text
    }

    /// ``text`` without white space, line ends and NUL bytes around it.
    package var trimmedText: String { text.trimmed }

    /// The first element of that local name at any depth below, in document order; `nil` if none.
    package func descendant(_ name: String) -> XMLElement? {
        for child in children {
            if child.name == name { return child }
            if let found = child.descendant(name) { return found }
        }
        return nil
    }
}

extension StringProtocol {
    /// Without white space, line ends and NUL bytes at both ends.
    package var trimmed: String {
        let isPadding = { (character: Character) in character.isWhitespace || character == "\0" }
        guard let first = firstIndex(where: { !isPadding($0) }), let last = lastIndex(where: { !isPadding($0) }) else {
            return ""
        }
        return String(self[first...last])
    }
}
