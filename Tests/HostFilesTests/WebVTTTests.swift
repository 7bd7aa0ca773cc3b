import Foundation
import Testing

@testable import HostFiles

struct WebVTTTests {
    private func text(_ source: String) -> String? { text(Array(source.utf8)) }

    private func text(_ bytes: [UInt8]) -> String? { WebVTT(bytes).map { String(decoding: $0.encoded, as: UTF8.self) } }

    private static let source =
        "1\n00:00:01,500 --> 00:00:03,000\nHallo, <i>Größe</i> & so\nzweite\n\n"
        + "2\n00:01:00,000 --> 01:00:02,050\nEnd\n"
    private static let expected =
        "WEBVTT\n\n00:00:01.500 --> 00:00:03.000\nHallo, <i>Größe</i> &amp; so\nzweite\n"
        + "\n00:01:00.000 --> 01:00:02.050\nEnd\n"

    @Test(arguments: ["\n", "\r\n", "\r"])
    func lineEndsOfEveryKind(_ end: String) {
        #expect(text(Self.source.replacingOccurrences(of: "\n", with: end)) == Self.expected)
    }

    @Test func encodings() throws {
        #expect(text([0xEF, 0xBB, 0xBF] + Array(Self.source.utf8)) == Self.expected)
        let units = Array(Self.source.utf16)
        let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        #expect(text([0xFF, 0xFE] + little) == Self.expected && text(little) == Self.expected)
        #expect(text([0xFE, 0xFF] + big) == Self.expected && text(big) == Self.expected)
        #expect(text([0xFF, 0xFE] + little + [0x41]) != nil, "half a character at the end")
        let windows = try #require(Self.source.data(using: .windowsCP1252))
        #expect(text(Array(windows)) == Self.expected)
        let quotes: [UInt8] = Array("1\n0:01 --> 0:02\n".utf8) + [0x93, 0x80, 0x94]
        #expect(text(quotes)?.contains("“€”") == true)
    }

    @Test func whatFilesReallyContain() {
        let loose = """
            \u{FEFF}
            0:0:1.5-->0:0:2,25   X1:100
            {\\an8}<font color="#ffff00">Top</font> <B>bold</B> {\\i1}x

            still the same

            not a number 7
            3
            00:00:01,000 --> 00:00:01,000
            no time at all

            4
            00:00:00,500 --> 00:00:00,900
            earlier < later > --> 1992
            1993

            5
            00:00:05,000 --> 00:00:06,000
            """
        #expect(
            text(loose) == """
                WEBVTT

                00:00:00.500 --> 00:00:00.900
                earlier &lt; later &gt; --&gt; 1992
                1993

                00:00:01.500 --> 00:00:02.250 line:0
                Top <b>bold</b> x
                still the same
                not a number 7

                """)
    }

    @Test func webVTTStaysWhatItIs() {
        let source = """
            WEBVTT - a title

            NOTE not shown

            STYLE
            ::cue { color: red }

            opening
            00:01.000 --> 00:02.000 align:start
            <v Fred>Hi &amp; <c.yellow>you</c>

            next
            00:03.000 --> 00:04.000
            Bye
            """
        #expect(
            text(source) == """
                WEBVTT

                00:00:01.000 --> 00:00:02.000
                Hi &amp; you

                00:00:03.000 --> 00:00:04.000
                Bye

                """)
    }

    @Test(arguments: [
        "", "\n\n", "WEBVTT", "1\n00:00:01,000 -->", "--> --> -->", "1\n00:00:01,000 --> 00:00:02,000\n\n",
        "99999999999999999999:00:00,000 --> 1:00:00,000\nx", "a:b:c,d --> 1:2:3,4\nx", "::, --> ::,\nx",
        "0:0:1,٣ --> 0:0:2,0\nx", "00:00:02,000 --> 00:00:01,000\nback",
    ])
    func noSubtitles(_ source: String) { #expect(text(source) == nil) }

    @Test func hostileFilesAreBounded() throws {
        #expect(WebVTT([UInt8](repeating: 0x41, count: WebVTT.largestFile + 1)) == nil)
        #expect(WebVTT([UInt8](repeating: 0, count: 100_000)) == nil)
        let many = String(repeating: "0:01 --> 0:02\n<\n", count: 30_000)
        #expect(try #require(WebVTT(Array(many.utf8))).cues.count == 20_000)
        let open = "0:01 --> 0:02\n" + String(repeating: "<", count: 200_000)
        #expect(try #require(text(open)).hasSuffix("&lt;&lt;\n"))
        let braces = "0:01 --> 0:02\n" + String(repeating: "{\\", count: 200_000)
        #expect(text(braces) != nil)
        let control = "0:01 --> 0:02\na\u{0}\u{1B}[31mb\u{7F}"
        #expect(try #require(text(control)).hasSuffix("\na[31mb\n"))
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let bytes = (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) }
            _ = WebVTT(Array("0:01 --> 0:02\n".utf8) + bytes)
        }
    }

    // MARK: Files

    @Test func filesBesideTheMedia() {
        let names = [
            "Film.mkv", "Film.srt", "Film.en.srt", "Film.pt_BR.forced.SRT", "Film 2.srt", "Film.txt", "Film.de.vtt",
            "Filmsrt",
        ]
        let found = SubtitleFiles.among(names, base: "Film")
        #expect(found == ["Film.de.vtt", "Film.en.srt", "Film.pt_BR.forced.SRT", "Film.srt"])
        let described = found.map { SubtitleFiles.description($0, base: "Film") }
        #expect(described.map(\.language) == ["de", "en", "pt-BR", nil])
        #expect(described.map(\.name) == ["German", "English", "Portuguese (Brazil) forced", "Subtitles"])
        #expect(SubtitleFiles.description("Film.directors cut.srt", base: "Film").name == "directors cut")
        #expect(SubtitleFiles.among((0..<100).map { "Film.\($0).srt" }, base: "Film").count == SubtitleFiles.most)
    }
}
