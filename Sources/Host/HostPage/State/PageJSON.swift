import Foundation

/// The JSON of the page: as the commands print it, with sorted keys.
enum PageJSON {
    /// Returns the value as JSON.
    ///
    /// Every type here can be encoded; a value that can't is left out as `null`.
    static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        guard let data = try? encoder.encode(value) else { return "null" }
        return String(decoding: data, as: UTF8.self)
    }

    /// Returns an object whose values are JSON already, in the order of the keys.
    static func object(_ members: [String: String]) -> String { "{" + fragment(members) + "}" }

    /// Returns the members of an object without its braces.
    static func fragment(_ members: [String: String]) -> String {
        members.sorted { $0.key < $1.key }.map { text($0.key) + ":" + $0.value }.joined(separator: ",")
    }
}
