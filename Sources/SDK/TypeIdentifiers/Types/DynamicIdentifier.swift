/// An identifier that contains a tag, such as `dyn.ah62d4rv4ge81e5pe`.
///
/// `dyn.a` is followed, in base 32, by text of the form `?0=6:1=xyz`: `0` is the supertype, `1` a filename extension,
/// `3` a MIME type; well-known supertypes have one letter. A `\` escapes a separator in a name.
struct DynamicIdentifier: Hashable {
    var tagClass: String
    var tag: String
    var parent: String?

    private static let prefix = "dyn.a"
    private static let alphabet = Array("abcdefghkmnpqrstuvwxyz0123456789".utf8)
    private static let shortNames: [(short: String, name: String)] = [
        ("0", "UTTypeConformsTo"), ("1", "public.filename-extension"), ("3", "public.mime-type"),
        ("5", "public.url-scheme"), ("6", "public.data"), ("7", "public.text"), ("8", "public.plain-text"),
        ("B", "public.image"), ("C", "public.video"), ("D", "public.audio"), ("E", "public.directory"),
        ("F", "public.folder"),
    ]

    init(tagClass: String, tag: String, parent: String?) {
        self.tagClass = tagClass
        self.tag = tag
        self.parent = parent
    }

    /// Parses an identifier; `nil` if it has another form.
    init?(_ identifier: String) {
        let identifier = identifier.lowercased()
        guard Self.isDynamic(identifier), let text = Self.decode(identifier.dropFirst(Self.prefix.count)),
            text.hasPrefix("?")
        else { return nil }
        var found: (tagClass: String, tag: String)?
        var parent: String?
        for field in Self.split(text.dropFirst(), at: ":") {
            let sides = Self.split(field, at: "=")
            guard sides.count == 2 else { return nil }
            let key = Self.longName(Self.unescaped(sides[0]))
            let value = Self.unescaped(sides[1])
            if key == "UTTypeConformsTo" {
                parent = Self.longName(value)
            } else if found == nil, !value.isEmpty {
                found = (key, value)
            }
        }
        guard let found else { return nil }
        self.init(tagClass: found.tagClass, tag: found.tag, parent: parent)
    }

    static func isDynamic(_ identifier: String) -> Bool { identifier.lowercased().hasPrefix(prefix) }

    var declaration: TypeDeclaration {
        TypeDeclaration(
            identifier: identifier, parents: parent.map { [$0] } ?? [], tags: [tagClass: [tag]])
    }

    var identifier: String {
        var fields: [String] = []
        if let parent { fields.append("0=" + Self.escaped(Self.shortName(parent))) }
        fields.append(Self.escaped(Self.shortName(tagClass)) + "=" + Self.escaped(tag))
        return Self.prefix + Self.encode("?" + fields.joined(separator: ":"))
    }

    private static func shortName(_ name: String) -> String { shortNames.first { $0.name == name }?.short ?? name }
    private static func longName(_ short: String) -> String { shortNames.first { $0.short == short }?.name ?? short }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            if "\\?:=,".contains(character) { result.append("\\") }
            result.append(character)
        }
    }

    private static func unescaped(_ text: Substring) -> String {
        var result = ""
        var isEscaped = false
        for character in text {
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                result.append(character)
                isEscaped = false
            }
        }
        return result
    }

    private static func split(_ text: Substring, at separator: Character) -> [Substring] {
        var parts: [Substring] = []
        var start = text.startIndex
        var isEscaped = false
        for index in text.indices {
            if isEscaped {
                isEscaped = false
            } else if text[index] == "\\" {
                isEscaped = true
            } else if text[index] == separator {
                parts.append(text[start..<index])
                start = text.index(after: index)
            }
        }
        return parts + [text[start...]]
    }

    private static func encode(_ text: String) -> String {
        var result: [UInt8] = []
        var (buffer, bits) = (0, 0)
        for byte in text.utf8 {
            buffer = (buffer << 8 | Int(byte)) & 0xFFFF
            bits += 8
            while bits >= 5 {
                bits -= 5
                result.append(alphabet[buffer >> bits & 31])
            }
        }
        if bits > 0 { result.append(alphabet[buffer << (5 - bits) & 31]) }
        return String(decoding: result, as: UTF8.self)
    }

    private static func decode(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var (buffer, bits) = (0, 0)
        for byte in text.utf8 {
            guard let digit = alphabet.firstIndex(of: byte) else { return nil }
            buffer = (buffer << 5 | digit) & 0xFFFF
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
