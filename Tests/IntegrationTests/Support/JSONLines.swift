import Foundation
import Testing

/// The output of `--json`: one value a line.
enum JSONLines {
    /// Every complete line; an unfinished one isn't counted.
    static func all<Value: Decodable>(_ text: String, as type: Value.Type = Value.self) throws -> [Value] {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        let whole = text.lastIndex(of: "\n").map { text[..<$0] } ?? ""
        return try whole.split(separator: "\n").map { try decoder.decode(type, from: Data($0.utf8)) }
    }

    static func one<Value: Decodable>(_ text: String, as type: Value.Type = Value.self) throws -> Value {
        let values = try all(text, as: type)
        try #require(values.count == 1, "one line of JSON: \(text)")
        return values[0]
    }
}

/// An error as commands print it with `--json`.
struct PrintedError: Decodable {
    struct Body: Decodable {
        var code: String
        var message: String
        var remedy: String?
        var canRetry: Bool
    }
    var error: Body
}
