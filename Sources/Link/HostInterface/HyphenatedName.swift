extension StringProtocol {
    /// The name with hyphens, as used on the wire and for people: `noSuchDevice` and `NoSuchDevice` become
    /// `no-such-device`.
    package var hyphenated: String {
        var words = ""
        for character in self {
            if character.isUppercase, !words.isEmpty { words.append("-") }
            words.append(contentsOf: character.lowercased())
        }
        return words
    }
}
