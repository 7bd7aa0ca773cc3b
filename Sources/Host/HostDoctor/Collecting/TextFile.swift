import Foundation

enum TextFile {
    /// Returns the file's text; empty if it can't be read. For the files read here, both mean the same.
    static func read(_ path: String) -> String {
        guard let data = FileManager.default.contents(atPath: path) else { return "" }
        return String(decoding: data, as: UTF8.self)
    }
}
