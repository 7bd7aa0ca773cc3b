import Testing

@testable import mdhost

@Suite("Text from the network")
struct DisplayTextTests {
    @Test(
        "what moves the cursor or turns the direction goes",
        arguments: [
            ("\u{1B}[31mRed\u{1B}[0m", "[31mRed[0m"), ("a\u{9B}2Jb", "a2Jb"), ("Bell\u{07}", "Bell"),
            ("a\u{202E}gpj.b\u{202C}", "agpj.b"), ("a\u{2066}b\u{2069}c", "abc"), ("\u{FEFF}name", "name"),
            ("zero\u{200B}width", "zerowidth"), ("tag\u{E0041}s", "tags"), ("private\u{E000}", "private"),
        ])
    func hostile(_ text: String, _ clean: String) { #expect(DisplayText.clean(text) == clean) }

    @Test(
        "runs of white space become one space, and none is at the ends",
        arguments: [("  a \t\n b  ", "a b"), ("a\u{2028}b", "a b"), ("a\u{00A0}\u{3000}b", "a b"), (" \n ", "")])
    func whiteSpace(_ text: String, _ clean: String) { #expect(DisplayText.clean(text) == clean) }

    @Test("text of people's languages stays", arguments: ["Wohnzimmer", "リビング", "Gästezimmer 🏠", "👩‍👩‍👧", "سالن", "नमस्ते"])
    func languages(_ text: String) { #expect(DisplayText.clean(text) == text) }

    @Test(
        "columns a terminal uses",
        arguments: [
            ("", 0), ("abc", 3), ("ä", 1), ("e\u{301}", 1), ("リビング", 8), ("🏠", 2), ("👩‍👩‍👧", 2), ("한글", 4), ("ＡＢ", 4),
        ])
    func width(_ text: String, _ columns: Int) { #expect(DisplayText.width(text) == columns) }

    @Test(
        "a cut text has an ellipsis and fits",
        arguments: [
            ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"), ("abcdef", 0, ""),
            ("リビング", 8, "リビング"), ("リビング", 7, "リビン…"), ("リビング", 6, "リビ…"), ("リビング", 2, "…"),
        ])
    func fit(_ text: String, _ limit: Int, _ expected: String) {
        let fitted = DisplayText.fit(text, limit)
        #expect(fitted == expected)
        #expect(DisplayText.width(fitted) <= limit)
    }

    @Test("padding counts columns, not characters")
    func pad() {
        #expect(DisplayText.pad("リビ", 6) == "リビ  ")
        #expect(DisplayText.pad("abcdef", 3) == "abcdef")
    }
}
