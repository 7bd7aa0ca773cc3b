/// One element of a parsed document: names without prefixes, namespaces resolved, entities decoded.
package struct XMLElement: Sendable, Hashable {
    /// The local name, e.g. `friendlyName`.
    package var name: String
    /// The namespace in scope; `nil` without one, or with an undeclared prefix.
    package var namespace: String?
    /// The attributes by local name, without `xmlns` declarations. The first of equal local names counts.
    package var attributes: [String: String] = [:]
    package var children: [XMLElement] = []
    /// All character data directly inside, concatenated, white space kept.
    package var text = ""

    /// Returns the first child with a local name in any namespace, because devices use wrong namespaces far more often
    /// than equal names.
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
    /// The text without white space, line breaks and NUL bytes at both ends.
    package var trimmed: String {
        let isPadding = { (character: Character) in character.isWhitespace || character == "\0" }
        guard let first = firstIndex(where: { !isPadding($0) }), let last = lastIndex(where: { !isPadding($0) }) else {
            return ""
        }
        return String(self[first...last])
    }
}
