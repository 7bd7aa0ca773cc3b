import Testing

@testable import mdhost

@Suite("Keys")
struct KeyParserTests {
    private func keys(_ reads: [UInt8]...) -> [Key] {
        var parser = KeyParser()
        return reads.flatMap { parser.parse($0) }
    }

    @Test("cursor keys in both modes")
    func arrows() {
        #expect(keys(Array("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D".utf8)) == [.up, .down, .right, .left])
        #expect(keys(Array("\u{1B}OA\u{1B}OB\u{1B}OC\u{1B}OD".utf8)) == [.up, .down, .right, .left])
    }

    @Test(
        "other sequences are passed over whole",
        arguments: ["\u{1B}[1;2A", "\u{1B}[3~", "\u{1B}[200~", "\u{1B}[H", "\u{1B}OP"])
    func otherSequences(_ sequence: String) {
        #expect(keys(Array((sequence + "q").utf8)) == [.character("q")])
    }

    @Test("control characters")
    func control() {
        #expect(keys([0x03]) == [.interrupt])
        #expect(keys([0x04]) == [.endOfInput])
        #expect(keys([0x1B]) == [.escape])
        #expect(keys([0x1B, 0x1B], Array("[A".utf8)).first == .escape)
    }

    @Test("characters of one to four bytes")
    func characters() {
        #expect(keys(Array("q ä€😀".utf8)) == ["q", " ", "ä", "€", "😀"].map(Key.character))
    }

    @Test("a character split over two reads arrives once it is whole")
    func splitCharacter() {
        var parser = KeyParser()
        let bytes = Array("😀".utf8)
        #expect(parser.parse(bytes.prefix(3)).isEmpty)
        #expect(parser.parse(bytes.suffix(1)) == [.character("😀")])
    }

    @Test("bytes that are no text are dropped, and swallow nothing that follows")
    func invalid() {
        #expect(keys([0xFF, UInt8(ascii: "q")]) == [.character("q")])
        #expect(keys([0x80, UInt8(ascii: "q")]) == [.character("q")])
        #expect(keys([0xC3, 0x03]) == [.interrupt])
        #expect(keys([0xE2, 0x82, UInt8(ascii: "q")]) == [.character("q")])
        #expect(keys([0xF0, 0x9F], [0x03]) == [.interrupt])
        // A surrogate, which UTF-8 does not have.
        #expect(keys([0xED, 0xA0, 0x80, UInt8(ascii: "q")]) == [.character("q")])
    }

    @Test("an unfinished sequence holds nothing back")
    func unfinished() {
        #expect(keys(Array("\u{1B}[12".utf8), [UInt8(ascii: "q")]) == [.character("q")])
    }

    @Test("any bytes, in any portions, end and never crash")
    func random() {
        var generator = SystemRandomNumberGenerator()
        var parser = KeyParser()
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
                [0x1B, 0x5B, 0x4F, UInt8.random(in: 0...255, using: &generator)].randomElement(using: &generator) ?? 0
            }
            #expect(parser.parse(bytes).count <= 16)
        }
        // Nothing pending keeps a clear key from arriving.
        #expect(parser.parse([0x03]).last == .interrupt)
    }
}
