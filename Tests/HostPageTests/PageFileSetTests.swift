import Testing

@testable import HostPage

@Suite struct PageFileSetTests {
    private func contents(_ last: String = "") -> [String: [UInt8]] {
        [
            "index.html": #"<link href="/page/page.css"><script src="/page/app.js"></script>"#,
            "app.js": #"import { a } from "./a.js"; const later = () => import("./later.js")"#,
            "a.js": #"import { b } from "./b.js"\nimport { gone } from "./gone.js""#,
            "b.js": #"import "./app.js" // from "./a.js""#,
            "later.js": last, "page.css": "", "notes.txt": "x",
        ].mapValues { Array($0.utf8) }
    }

    private func text(_ file: PageFile?) -> String { String(decoding: file?.content ?? [], as: UTF8.self) }

    private func version(of set: PageFileSet) throws -> String {
        let parts = text(set.file("index.html")).split(separator: "/")
        return String(try #require(parts.dropFirst(2).first))
    }

    @Test func addressesChangeWithAnyFile() throws {
        let (one, same, other) = (PageFileSet(contents()), PageFileSet(contents()), PageFileSet(contents("1")))
        let version = try version(of: one)
        #expect(try version == self.version(of: same) && version != self.version(of: other))
        #expect(
            text(one.file("index.html"))
                == #"<link href="/page/\#(version)/page.css"><script src="/page/\#(version)/app.js"></script>"#)
        #expect(one.file("\(version)/app.js")?.cacheControl == "max-age=31536000, immutable")
        // A page from before an update loads the rest of itself, and nothing is kept under the old address.
        #expect(text(other.file("\(version)/later.js")) == "1")
        #expect(other.file("\(version)/later.js")?.cacheControl == "no-cache")
        #expect(one.file("app.js")?.cacheControl == "no-cache" && one.file("index.html")?.cacheControl == "no-cache")
    }

    @Test func whatTheFirstModuleNeedsIsLoadedAtOnce() throws {
        let set = PageFileSet(contents())
        let links = try #require(set.file("index.html")?.links)
        let version = try version(of: set)
        for name in ["app.js", "a.js", "b.js"] {
            #expect(links.contains("</page/\(version)/\(name)>; rel=modulepreload"))
        }
        #expect(links.contains("</page/\(version)/page.css>; rel=preload; as=style"))
        #expect(!links.contains("later.js") && !links.contains("gone.js"))
        #expect(set.file("app.js")?.links == nil)
    }

    @Test(arguments: [
        "", "/", "nothing.js", "notes.txt", "x/app.js", "000000000000/x/app.js", "000000000000/",
        "000000000000//app.js",
        "../app.js", "000000000000/../app.js", "00000000000g/app.js", "000000000000/000000000000/app.js",
    ])
    func otherPathsHaveNoFile(path: String) { #expect(PageFileSet(contents()).file(path) == nil) }
}
