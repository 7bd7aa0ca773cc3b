/// The text of one subtitle with the markup of WebVTT.
///
/// SubRip files contain the tags of HTML, and commands of SubStation Alpha in braces. Italics, bold and underlined stay,
/// other tags are removed, and everything else is text.
struct CueMarkup {
    private(set) var text = ""
    /// A Boolean value that indicates whether a command asks for the upper edge.
    private(set) var isOnTop = false

    /// - Parameter isWebVTT: Its `&lt;` and the like are kept.
    init(_ source: String, isWebVTT: Bool) {
        var rest = source[...]
        while let character = rest.first {
            switch character {
            case "<":
                if let end = rest.prefix(100).firstIndex(of: ">") {
                    let tag = rest[rest.index(after: rest.startIndex)..<end].lowercased()
                    if Self.kept.contains(tag) { text += "<\(tag)>" }
                    if Self.isTag(tag) {
                        rest = rest[rest.index(after: end)...]
                        continue
                    }
                }
                text += "&lt;"
            case "{" where rest.hasPrefix("{\\"):
                if let end = rest.prefix(200).firstIndex(of: "}") {
                    let command = rest[..<end]
                    if ["\\an7", "\\an8", "\\an9"].contains(where: { command.contains($0) }) { isOnTop = true }
                    rest = rest[rest.index(after: end)...]
                    continue
                }
                text.append(character)
            case "&": text += isWebVTT && Self.isEntity(rest) ? "&" : "&amp;"
            case ">": text += "&gt;"
            // Line breaks of lines that were joined; other control characters are of no use in a text.
            case "\n": text.append(character)
            case "\0"..<" ", "\u{7F}": break
            default: text.append(character)
            }
            rest = rest.dropFirst()
        }
    }

    private static let kept: Set<String> = ["i", "/i", "b", "/b", "u", "/u"]

    private static func isTag(_ text: String) -> Bool {
        let name = text.drop { $0 == "/" }
        return name.first?.isLetter == true && name.allSatisfy { $0 != "<" && $0 != "\n" }
    }

    private static func isEntity(_ text: Substring) -> Bool {
        ["&amp;", "&lt;", "&gt;", "&nbsp;", "&lrm;", "&rlm;"].contains { text.hasPrefix($0) }
    }
}
