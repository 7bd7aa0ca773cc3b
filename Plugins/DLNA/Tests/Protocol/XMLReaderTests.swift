import Testing

@testable import DLNAProtocol

struct XMLReaderTests {
    @Test func readsNamesNamespacesAttributesAndText() throws {
        let head = #"<?xml version="1.0"?><!-- c --><a:r xmlns:a="urn:one" xmlns="urn:two"><b a:k='1 &lt; 2' k="x"/>"#
        let root = try XMLReader.parse((head + "t&#65;&#x42;<![CDATA[<raw> &amp;]]> </a:r>\n\0trailing").utf8)
        #expect(root.name == "r")
        #expect(root.namespace == "urn:one")
        #expect(root.trimmedText == "tAB<raw> &amp;")
        let child = try #require(root.child("b"))
        #expect(child.namespace == "urn:two")
        #expect(child.attributes == ["k": "1 < 2"])
    }

    @Test func keepsAmpersandsThatBeginNoReference() throws {
        let root = try XMLReader.parse("<a u='x?a=1&b=2'>R&B &copy; &; &#0; &#xD800; &amp;</a>".utf8)
        #expect(root.text == "R&B &copy; &; &#0; &#xD800; &")
        #expect(root.attributes["u"] == "x?a=1&b=2")
    }

    @Test func readsOtherEncodings() throws {
        let latin: [UInt8] =
            Array(#"<?xml version="1.0" encoding="ISO-8859-1"?><a>K"#.utf8) + [0xFC] + Array("che</a>".utf8)
        #expect(try XMLReader.parse(latin).text == "Küche")
        #expect(try XMLReader.parse([0xEF, 0xBB, 0xBF] + Array("<a>ü</a>".utf8)).text == "ü")
        let wide: [UInt8] = "\u{FEFF}<a>ü</a>".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] as [UInt8] }
        #expect(try XMLReader.parse(wide).text == "ü")
        let wideHighFirst: [UInt8] = "\u{FEFF}<a>ü</a>".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] as [UInt8] }
        #expect(try XMLReader.parse(wideHighFirst).text == "ü")
        #expect(try XMLReader.parse(Array("<a>".utf8) + [0xC3, 0x28] + Array("</a>".utf8)).text == "\u{FFFD}(")
    }

    @Test(arguments: ["hostile/entity-bomb.xml", "hostile/external-entity.xml"])
    func refusesDocumentTypes(path: String) throws {
        #expect(throws: DLNAError.documentTypeRefused) { try XMLReader.parse(Fixtures.bytes(path)) }
    }

    @Test func refusesWhatExceedsItsLimits() {
        let limits = XMLLimits(size: 200, depth: 4, elements: 10)
        #expect(throws: DLNAError.tooLarge(limit: 200)) {
            try XMLReader.parse("<a>\(String(repeating: "x", count: 200))</a>".utf8, limits: limits)
        }
        #expect(throws: DLNAError.tooDeep(limit: 4)) { try XMLReader.parse("<a><a><a><a><a>".utf8, limits: limits) }
        #expect(throws: DLNAError.tooManyElements(limit: 10)) {
            try XMLReader.parse("<a>\(String(repeating: "<b/>", count: 10))</a>".utf8, limits: limits)
        }
        #expect(throws: DLNAError.tooManyElements(limit: 10)) {
            try XMLReader.parse("<a \((0..<10).map { "a\($0)=''" }.joined(separator: " "))/>".utf8, limits: limits)
        }
        #expect(throws: Never.self) { try XMLReader.parse("<a><a><a><a/></a></a></a>".utf8, limits: limits) }
    }

    @Test(arguments: [
        "", " ", "<", "<a", "<a ", "<a b", "<a b=", "<a b='", "<a/", "<a><b></b>", "<a><!-- ", "<a><![CDATA[x",
        "<?xml ",
    ])
    func tellsTruncatedDocuments(text: String) {
        #expect(throws: DLNAError.truncated) { try XMLReader.parse(text.utf8) }
    }

    @Test(arguments: [
        "x<a/>", "<a></b>", "</a>", "<a b></a>", "<a b=c/>", "<a / >", "<a></a b='1'>", "<>", "<a><b></a></b>",
    ])
    func refusesMalformedDocuments(text: String) {
        #expect { try XMLReader.parse(text.utf8) } throws: { error in
            if case DLNAError.malformed = error { true } else { false }
        }
    }

    @Test func escapesWhatItReadsBack() throws {
        let text = "a & b < c > \"d\" 'e' \u{1} \t\n ü 🎵"
        let allowed = text.replacing("\u{1}", with: "")
        #expect(try XMLReader.parse("<a>\(XMLText.escaped(text))</a>".utf8).text == allowed)
        #expect(try XMLReader.parse("<a v=\"\(XMLText.escaped(text))\"/>".utf8).attributes["v"] == allowed)
    }
}
