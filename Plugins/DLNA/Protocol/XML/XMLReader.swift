/// A parser for the part of XML that UPnP uses, with limits, for untrusted input.
///
/// It supports no document types, therefore only the predefined entities; it doesn't recurse or fetch anything. It
/// tolerates known mistakes of devices whose meaning is clear: a bare `&`, bytes after the root element, unknown
/// prefixes, declarations in the middle.
package struct XMLReader {
    private struct OpenElement {
        var qualifiedName: ArraySlice<UInt8>
        var element: XMLElement
        var namespaces: [String: String]
    }

    private let bytes: [UInt8]
    private let limits: XMLLimits
    private var index = 0
    private var open: [OpenElement] = []
    private var root: XMLElement?
    private var elementCount = 0

    /// The root element of a document.
    ///
    /// - Throws: ``DLNAError``: `tooLarge`, `tooDeep`, `tooManyElements`, `documentTypeRefused`, `malformed`, `truncated`.
    package static func parse(
        _ document: some Sequence<UInt8>, limits: XMLLimits = .standard
    ) throws(DLNAError) -> XMLElement {
        let bytes = Array(document)
        guard bytes.count <= limits.size else { throw .tooLarge(limit: limits.size) }
        var reader = XMLReader(bytes: XMLEncoding.utf8(bytes), limits: limits)
        return try reader.read()
    }

    private mutating func read() throws(DLNAError) -> XMLElement {
        while index < bytes.count, root == nil {
            if bytes[index] == UInt8(ascii: "<") { try readMarkup() } else { try readText() }
        }
        guard let root else { throw .truncated }
        return root
    }

    private mutating func readText() throws(DLNAError) {
        let end = bytes[index...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        if open.isEmpty {
            guard XMLText.decoded(bytes[index..<end]).trimmed.isEmpty else { throw malformed("text outside the root") }
        } else {
            open[open.count - 1].element.text += XMLText.decoded(bytes[index..<end])
        }
        index = end
    }

    private mutating func readMarkup() throws(DLNAError) {
        if starts(with: "<!--") { return try skip(past: "-->") }
        if starts(with: "<?") { return try skip(past: "?>") }
        if starts(with: "<![CDATA[") {
            let start = index + 9
            try skip(past: "]]>")
            guard !open.isEmpty else { throw malformed("text outside the root") }
            open[open.count - 1].element.text += String(decoding: bytes[start..<(index - 3)], as: UTF8.self)
            return
        }
        if starts(with: "<!") { throw .documentTypeRefused }
        if starts(with: "</") { return try readEndTag() }
        try readStartTag()
    }

    private mutating func readStartTag() throws(DLNAError) {
        index += 1
        let qualifiedName = try readName()
        guard open.count < limits.depth else { throw .tooDeep(limit: limits.depth) }
        try count()
        var attributes: [(name: ArraySlice<UInt8>, value: String)] = []
        while true {
            skipSpace()
            guard index < bytes.count else { throw .truncated }
            if bytes[index] == UInt8(ascii: ">") || bytes[index] == UInt8(ascii: "/") { break }
            try count()
            attributes.append(try readAttribute())
        }
        let isEmpty = bytes[index] == UInt8(ascii: "/")
        index += 1
        if isEmpty {
            guard index < bytes.count else { throw .truncated }
            guard bytes[index] == UInt8(ascii: ">") else { throw malformed("a slash inside a tag") }
            index += 1
        }
        open.append(openElement(qualifiedName, attributes))
        if isEmpty { close() }
    }

    private func openElement(
        _ qualifiedName: ArraySlice<UInt8>, _ attributes: [(name: ArraySlice<UInt8>, value: String)]
    ) -> OpenElement {
        var namespaces: [String: String] = [:]
        var values: [String: String] = [:]
        for (name, value) in attributes {
            let (prefix, local) = split(name)
            if prefix == "xmlns" {
                namespaces[local] = value
            } else if prefix == nil, local == "xmlns" {
                namespaces[""] = value
            } else if values[local] == nil {
                values[local] = value
            }
        }
        let (prefix, local) = split(qualifiedName)
        let scopes = [namespaces] + open.reversed().map(\.namespaces)
        let namespace = scopes.lazy.compactMap { $0[prefix ?? ""] }.first
        return OpenElement(
            qualifiedName: qualifiedName, element: XMLElement(name: local, namespace: namespace, attributes: values),
            namespaces: namespaces)
    }

    private mutating func readEndTag() throws(DLNAError) {
        index += 2
        let name = try readName()
        skipSpace()
        guard index < bytes.count else { throw .truncated }
        guard bytes[index] == UInt8(ascii: ">") else { throw malformed("an end tag with attributes") }
        guard let current = open.last, current.qualifiedName == name else { throw malformed("a mismatched end tag") }
        index += 1
        close()
    }

    private mutating func close() {
        guard let closed = open.popLast() else { return }
        if open.isEmpty {
            root = closed.element
        } else {
            open[open.count - 1].element.children.append(closed.element)
        }
    }

    private mutating func readAttribute() throws(DLNAError) -> (name: ArraySlice<UInt8>, value: String) {
        let name = try readName()
        skipSpace()
        guard index < bytes.count else { throw .truncated }
        guard bytes[index] == UInt8(ascii: "=") else { throw malformed("an attribute without a value") }
        index += 1
        skipSpace()
        guard index < bytes.count else { throw .truncated }
        let quote = bytes[index]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw malformed("an unquoted attribute")
        }
        index += 1
        guard let end = bytes[index...].firstIndex(of: quote) else { throw .truncated }
        defer { index = end + 1 }
        return (name, XMLText.decoded(bytes[index..<end]))
    }

    private mutating func readName() throws(DLNAError) -> ArraySlice<UInt8> {
        let start = index
        while index < bytes.count, Self.isNameByte(bytes[index]) { index += 1 }
        guard index > start else {
            throw index < bytes.count ? malformed("a tag without a name") : .truncated
        }
        return bytes[start..<index]
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: ":"), 0x80...:
            true
        default: false
        }
    }

    private mutating func skipSpace() {
        while index < bytes.count, [0x20, 0x9, 0xA, 0xD].contains(bytes[index]) { index += 1 }
    }

    private mutating func skip(past end: StaticString) throws(DLNAError) {
        while index < bytes.count {
            if starts(with: end) {
                index += end.utf8CodeUnitCount
                return
            }
            index += 1
        }
        throw .truncated
    }

    private func starts(with text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[index...].starts(with: $0) }
    }

    private func split(_ name: ArraySlice<UInt8>) -> (prefix: String?, local: String) {
        guard let colon = name.firstIndex(of: UInt8(ascii: ":")), colon > name.startIndex, colon + 1 < name.endIndex
        else { return (nil, String(decoding: name, as: UTF8.self)) }
        return (String(decoding: name[..<colon], as: UTF8.self), String(decoding: name[(colon + 1)...], as: UTF8.self))
    }

    private mutating func count() throws(DLNAError) {
        elementCount += 1
        guard elementCount <= limits.elements else { throw .tooManyElements(limit: limits.elements) }
    }

    private func malformed(_ what: String) -> DLNAError { .malformed(what, offset: index) }
}
