extension StringProtocol {
    /// `noSuchDevice` and `NoSuchDevice` as `no-such-device`: how names of code are written on the wire and for people.
    package var hyphenated: String {
        var words = ""
        for character in self {
            if character.isUppercase, !words.isEmpty { words.append("-") }
            words.append(contentsOf: character.lowercased())
        }
        return words
    }
}
