import HostInterface

/// Finds the thing a person means among things with a name and an id: by either, or by a unique prefix of either.
struct NamedThings<Thing> {
    /// The wording of the errors.
    struct Words {
        /// The plural: `devices`.
        var plural: String
        /// The error code for an unknown name.
        var unknown: HostError.Code
        /// The detail that distinguishes things with the same name.
        var detail: (Thing) -> String
        /// The sentence about an unknown name: `No device is called “x”`.
        var nothing: (String) -> String
        /// The end of that sentence if there are no things at all.
        var nothingAtAll: String
    }

    let things: [Thing]
    let id: (Thing) -> String
    let name: (Thing) -> String
    /// The ids and names of a thing's parts, which also find it if no other thing has that name.
    var parts: (Thing) -> [(id: String, name: String)] = { _ in [] }
    /// Of several things that a text fits, those that it can mean.
    var preferred: (Thing) -> Bool = { _ in true }
    let words: Words

    /// Returns the thing called `text`.
    ///
    /// Order: exact id, exact name, name in any case, unique prefix of a name in any case, unique prefix of an id; then
    /// the same of a part, in any case. An exact match wins over a longer name that begins with it. Of several matches,
    /// those count that are ``preferred``.
    /// - Throws: ``HostError`` `ambiguous-name` listing the candidates, or ``Words/unknown`` with the nearest names.
    func resolve(_ text: String) throws(HostError) -> Thing {
        let wanted = text.lowercased()
        let rules: [(Thing) -> Bool] = [
            { id($0).lowercased() == wanted }, { name($0) == text }, { name($0).lowercased() == wanted },
            { name($0).lowercased().hasPrefix(wanted) }, { id($0).lowercased().hasPrefix(wanted) },
            { parts($0).contains { $0.id.lowercased() == wanted } },
            { parts($0).contains { $0.name.lowercased() == wanted } },
            { parts($0).contains { $0.name.lowercased().hasPrefix(wanted) } },
            { parts($0).contains { $0.id.lowercased().hasPrefix(wanted) } },
        ]
        for rule in rules where !wanted.isEmpty {
            let fitting = things.filter(rule)
            let meant = fitting.filter(preferred)
            let matches = meant.isEmpty ? fitting : meant
            if matches.count > 1 { throw ambiguous(text, matches) }
            if let match = matches.first { return match }
        }
        throw unknown(text)
    }

    private func ambiguous(_ text: String, _ matches: [Thing]) -> HostError {
        let list = matches.sorted { (name($0), id($0)) < (name($1), id($1)) }
            .map { "\(name($0)) (\(words.detail($0)))" }.joined(separator: ", ")
        return HostError(
            .ambiguousName, "“\(text)” fits several \(words.plural): \(list).",
            remedy: "Use a longer part of the name, or the id in parentheses.")
    }

    private func unknown(_ text: String) -> HostError {
        let near = EditDistance.nearest(to: text, in: things.map(name)).prefix(3).map { "“\($0)”" }
        var message = words.nothing(text) + "."
        if !near.isEmpty {
            message += " Did you mean \(near.joined(separator: " or "))?"
        } else if things.isEmpty {
            message = words.nothing(text) + words.nothingAtAll
        }
        return HostError(words.unknown, message)
    }
}

enum EditDistance {
    /// The names that a person who wrote `text` may have meant, in any case, the nearest first.
    static func nearest(to text: String, in names: [String]) -> [String] {
        let limit = max(2, text.count / 3)
        return names.map { ($0, between(text.lowercased(), $0.lowercased())) }
            .filter { $0.1 <= limit }.sorted { $0.1 < $1.1 }.map(\.0)
    }

    /// Damerau–Levenshtein distance (adjacent transpositions count one).
    static func between(_ first: String, _ second: String) -> Int {
        let first = Array(first), second = Array(second)
        var rows = [Array(0...second.count)]
        for row in 1..<(first.count + 1) where !first.isEmpty {
            var current = [row]
            for column in 1..<(second.count + 1) where !second.isEmpty {
                let isSame = first[row - 1] == second[column - 1]
                var best = min(
                    rows[row - 1][column] + 1, current[column - 1] + 1, rows[row - 1][column - 1] + (isSame ? 0 : 1))
                if row > 1, column > 1, first[row - 1] == second[column - 2], first[row - 2] == second[column - 1] {
                    best = min(best, rows[row - 2][column - 2] + 1)
                }
                current.append(best)
            }
            rows.append(current)
        }
        return rows[first.count][second.count]
    }
}
