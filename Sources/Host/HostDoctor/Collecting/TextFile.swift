import Foundation

enum TextFile {
    /// The file's text; empty where it cannot be read, which for the files read here means "says nothing".
    static func read(_ path: String) -> String {
        guard let data = FileManager.default.contents(atPath: path) else { return "" }
        return String(decoding: data, as: UTF8.self)
    }
}
