import Testing

@testable import mdhost

@Suite("Tables")
struct TableTests {
    private let table = Table(
        headings: ["NAME", "KIND", "ADDRESS"],
        rows: [
            [.init("Living Room Television"), .init("tv"), .init("192.0.2.1")],
            [.init("リビング"), .init("speaker pair"), .init("[fe80::1%eth0]")],
        ])

    private func lines(_ width: Int) -> [String] { table.lines(width: width) { $1 } }

    @Test("columns line up")
    func columns() {
        #expect(
            lines(80) == [
                "NAME                    KIND          ADDRESS",
                "Living Room Television  tv            192.0.2.1",
                "リビング                speaker pair  [fe80::1%eth0]",
            ])
    }

    @Test("a cell is one line that no terminal obeys")
    func escapes() {
        let table = Table(headings: ["NAME"], rows: [[.init("a\u{1B}[2Jb\u{202E}c\nd\u{9B}31m\u{7}")]])
        #expect(table.lines(width: 80) { $1 } == ["NAME", "a[2Jbc d31m"])
    }

    @Test("no width, as in a pipe, cuts nothing")
    func pipe() {
        #expect(lines(.max) == lines(80))
    }

    @Test("every line fits every terminal, however narrow", arguments: 1...60)
    func fits(_ width: Int) {
        for line in lines(width) { #expect(DisplayText.width(line) <= width, "\(line)") }
    }

    @Test("the widest column gives way first")
    func givesWay() {
        let narrow = lines(44)
        #expect(narrow[1].contains("…") && narrow[1].hasSuffix("192.0.2.1"))
        #expect(narrow[2].contains("speaker pair"))
    }

    @Test("colours are around the text and do not count")
    func styles() {
        let styled = Table(headings: ["A", "B"], rows: [[.init("x", .bad), .init("y")]]).lines(width: 80) {
            "<\($0.rawValue)>\($1)</>"
        }
        #expect(styled == ["<2>A  </><2>B</>", "<31>x  </>y"])
    }

    @Test("a table without rows has its heading")
    func empty() {
        #expect(Table(headings: ["A", "B"], rows: []).lines(width: 80) { $1 } == ["A  B"])
    }
}
