import HostInterface
import Testing

@testable import mdhost

/// The answers are those of the programs themselves, recorded.
struct TerminalPicturesTests {
    private static let kitty = "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c"
    private static let foot = "\u{1B}[?1;0;1024S\u{1B}[?62;4;22;28;29c"
    private static let xterm340 = "\u{1B}[?1;0;16S\u{1B}[?63;1;2;4;6;9;15;16;22;28;29c"
    private static let xterm = "\u{1B}[?64;1;2;6;9;15;16;17;18;21;22;28c"
    private static let refusing = "\u{1B}_Gi=31;ENOTSUPPORTED:no\u{1B}\\\u{1B}[?1;2;4c"

    /// - Parameter reads: What each read(2) gets.
    private static func way(_ reads: [String], kind: String = "xterm-256color") -> TerminalPictures.Way? {
        var pictures = TerminalPictures(kind: kind)
        guard pictures.ask() != nil else { return nil }
        var parser = KeyParser()
        for read in reads {
            for case .report(let report) in parser.parse(Array(read.utf8)) { pictures.take(report) }
        }
        return pictures.way
    }

    @Test(
        arguments: [
            (kitty, .kitty), (foot, .sixel(colours: 256)), (xterm340, .sixel(colours: 16)), (xterm, nil),
            (refusing, .sixel(colours: 16)), ("", nil), ("q\u{1B}[A", nil),
        ] as [(String, TerminalPictures.Way?)])
    func theWayFollowsFromTheAnswers(answer: String, way: TerminalPictures.Way?) {
        #expect(Self.way([answer]) == way)
    }

    @Test func answersAreNoKeys() {
        var parser = KeyParser()
        let keys = parser.parse(Array(("q" + Self.kitty + "d" + Self.xterm340 + "m").utf8))
        let typed = keys.filter { if case .report = $0 { false } else { true } }
        #expect(typed == [.character("q"), .character("d"), .character("m")])
        // Without its end it is dropped, and never taken for keys.
        #expect(parser.parse(Array("\u{1B}_Gi=31;dqm".utf8)).isEmpty)
    }

    @Test(arguments: ["linux", "dumb", ""]) func someTerminalsAreNotAsked(kind: String) {
        var pictures = TerminalPictures(kind: kind)
        #expect(pictures.ask() == nil && !pictures.isAsked && pictures.way == nil)
    }

    @Test func aTerminalIsAskedOnce() {
        var pictures = TerminalPictures(kind: "xterm")
        #expect(pictures.ask() == TerminalPictures.questions && pictures.isAsked)
        #expect(pictures.ask() == nil)
        pictures.take(.attributes([62]))
        // Somebody else's question.
        pictures.take(.graphics(isSupported: true))
        #expect(!pictures.isAsked && pictures.way == nil)
    }

    @Test func thePlaceFitsTheTerminal() throws {
        let large = TerminalSize(columns: 100, rows: 40, width: 1000, height: 800)
        let place = try #require(PicturePlace(large, for: .kitty))
        #expect(place.rows == 12 && place.side == 240)
        let wide = try #require(PixelPicture(width: 240, height: 60, bytes: [UInt8](repeating: 0, count: 240 * 60 * 3)))
        #expect(place.rows(of: wide) == 3 && place.columns(of: wide) == 24)
        let high = try #require(PixelPicture(width: 60, height: 240, bytes: [UInt8](repeating: 0, count: 240 * 60 * 3)))
        #expect(place.rows(of: high) == 12 && place.columns(of: high) == 6)
        #expect(PicturePlace(TerminalSize(columns: 80, rows: 6), for: .kitty) == nil)
        #expect(PicturePlace(TerminalSize(columns: 5, rows: 40), for: .kitty) == nil)
        // The size of a character is unknown.
        let plain = TerminalSize(columns: 80, rows: 24)
        #expect(PicturePlace(plain, for: .sixel(colours: 16)) == nil)
        #expect(PicturePlace(plain, for: .kitty)?.side == 240)
        let huge = TerminalSize(columns: 40, rows: 20, width: 8000, height: 8000)
        #expect((PicturePlace(huge, for: .kitty)?.side ?? 0) <= PixelPicture.greatestSide)
    }
}

struct PlayerArtworkTests {
    private let size = TerminalSize(columns: 100, rows: 40, width: 1000, height: 800)
    private let picture = PixelPicture(width: 2, height: 2, bytes: [UInt8](repeating: 200, count: 12))

    @Test func aTerminalIsAskedOnlyForArtwork() throws {
        var artwork = PlayerArtwork(kind: "xterm")
        #expect(artwork.show("", on: size) == nil && !artwork.isAsked)
        #expect(artwork.show("http://a/1.png", on: size) == .ask(TerminalPictures.questions))
        #expect(artwork.show("http://a/1.png", on: size) == nil)
        #expect(artwork.take(.graphics(isSupported: true), on: size) == nil)
        #expect(artwork.take(.attributes([62]), on: size) == .request(address: "http://a/1.png", side: 240))
        let picture = try #require(picture)
        #expect(artwork.text(of: picture, for: "http://a/1.png", identifier: 7)?.rows == 12)
        // The next track.
        #expect(artwork.show("http://a/2.png", on: size) == .request(address: "http://a/2.png", side: 240))
        #expect(artwork.text(of: picture, for: "http://a/1.png", identifier: 7) == nil, "it came too late")
        #expect(artwork.show("", on: size) == .remove)
        #expect(artwork.show("", on: size) == nil)
    }

    @Test func aTerminalWithoutPicturesRequestsNone() throws {
        var artwork = PlayerArtwork(kind: "xterm")
        #expect(artwork.show("http://a/1.png", on: size) == .ask(TerminalPictures.questions))
        #expect(artwork.take(.attributes([64, 1]), on: size) == nil)
        #expect(artwork.show("http://a/2.png", on: size) == nil)
        #expect(artwork.text(of: try #require(picture), for: "http://a/2.png", identifier: 7) == nil)
    }
}
