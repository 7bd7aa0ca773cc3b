import Foundation

/// A file of the page.
package struct PageFile: Sendable {
    package let content: [UInt8]
    /// The MIME type.
    package let type: String
    /// Changes with the content.
    let tag: String
    /// A newer program has a newer page.
    var cacheControl = "no-cache"
    /// The files that the browser loads along with it, as the value of `Link`.
    var links: String?

    package init(_ content: [UInt8], type: String) {
        self.content = content
        self.type = type
        tag = "\"" + PageSecret.hash(String(decoding: content, as: UTF8.self)).prefix(16) + "\""
    }

    #if DEBUG
        /// Reads a file of a folder, for work on the page without building the program.
        package init?(readFrom folder: String, _ name: String) {
            guard !name.contains("/"), let type = Self.type(of: name),
                let data = FileManager.default.contents(atPath: folder + "/" + name)
            else { return nil }
            self.init([UInt8](data), type: type)
        }
    #endif

    /// Returns the MIME type for a name; `nil` for one that the page has no use for.
    package static func type(of name: String) -> String? {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "js", "mjs": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "json", "webmanifest": "application/json"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "ico": "image/x-icon"
        case "woff2": "font/woff2"
        default: nil
        }
    }
}
