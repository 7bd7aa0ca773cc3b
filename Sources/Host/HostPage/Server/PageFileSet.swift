import Foundation

/// The files of a page, each at an address that changes with the page, so that browsers keep it without asking again.
package struct PageFileSet: Sendable {
    private let files: [String: PageFile]
    private let version: String

    /// - Parameter contents: By name. `index.html` names the others as `/page/NAME`; it begins with `app.js` and `page.css`.
    package init(_ contents: [String: [UInt8]]) {
        let all = contents.sorted { $0.key < $1.key }.map { $0.key + "\n" + String(decoding: $0.value, as: UTF8.self) }
        let version = String(PageSecret.hash(all.joined(separator: "\n")).prefix(12))
        var files: [String: PageFile] = [:]
        for (name, content) in contents {
            guard let type = PageFile.type(of: name) else { continue }
            files[name] = PageFile(content, type: type)
        }
        if let index = contents["index.html"] {
            let text = String(decoding: index, as: UTF8.self)
                .replacing("\"/page/", with: "\"/page/\(version)/")
            files["index.html"] = PageFile(Array(text.utf8), type: PageFile.type(of: "index.html") ?? "")
            files["index.html"]?.links = Self.links(contents, version)
        }
        self.files = files
        self.version = version
    }

    /// Returns a file.
    ///
    /// - Parameter path: `NAME`, or `VERSION/NAME`. Another version, as in a page from before an update, leads to the
    ///   current file, which the browser doesn't keep.
    package func file(_ path: String) -> PageFile? {
        let parts = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.last, parts.count == 1 || Self.isVersion(parts[0]), var file = files[String(name)] else {
            return nil
        }
        if parts.count == 2, parts[0] == version { file.cacheControl = "max-age=31536000, immutable" }
        return file
    }

    private static func isVersion(_ text: Substring) -> Bool {
        text.utf8.count == 12 && text.allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    /// The style, the state, and all modules that the first one needs: without them here, a browser finds some of the modules
    /// only in others, one request after another.
    private static func links(_ contents: [String: [UInt8]], _ version: String) -> String {
        var modules = ["app.js"]
        var next = 0
        while next < modules.count {
            let text = String(decoding: contents[modules[next]] ?? [], as: UTF8.self)
            next += 1
            for piece in text.split(separator: "from \"./").dropFirst() {
                let name = String(piece.prefix { $0 != "\"" })
                if contents[name] != nil, !modules.contains(name) { modules.append(name) }
            }
        }
        let links =
            ["</page/\(version)/page.css>; rel=preload; as=style", "</api/state>; rel=preload; as=fetch; crossorigin"]
            + modules.map { "</page/\(version)/\($0)>; rel=modulepreload" }
        return links.joined(separator: ", ")
    }
}
