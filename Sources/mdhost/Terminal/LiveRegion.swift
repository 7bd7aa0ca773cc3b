/// Lines at the bottom of a terminal that are drawn again in place.
struct LiveRegion {
    private let terminal: Terminal
    private var drawn = 0
    /// The rows of the picture above the lines.
    private var pictureRows = 0

    init(_ terminal: Terminal) { self.terminal = terminal }

    /// Draws `lines` over the previous ones. Lines must fit the width; if there are more than the screen's height, the
    /// first ones are shown.
    mutating func draw(_ lines: [String]) {
        let shown = lines.prefix(max(1, terminal.height - 1))
        var text = "\u{1B}[?25l" + rewind
        for line in shown { text += line + "\u{1B}[K\n" }
        terminal.write(text + "\u{1B}[J")
        drawn = shown.count
    }

    /// Draws a picture above the lines, over the previous one; the lines have to be drawn again.
    ///
    /// - Parameters:
    ///   - picture: The control sequences that draw it at the cursor.
    ///   - rows: The rows that it takes; 0 for none.
    ///   - removal: The control sequences that remove the previous one, if need be.
    mutating func draw(picture: String, rows: Int, removal: String = "") {
        var text = rewind + (pictureRows > 0 ? "\u{1B}[\(pictureRows)A" : "") + removal + "\u{1B}[J"
        if rows > 0 {
            // The room first: at the bottom of the screen, the text moves up. Where the picture leaves the cursor differs.
            text += String(repeating: "\n", count: rows) + "\u{1B}[\(rows)A\u{1B}7" + picture + "\u{1B}8"
            text += "\u{1B}[\(rows)B\r"
        }
        terminal.write(text)
        (drawn, pictureRows) = (0, rows)
    }

    /// Leaves the lines where they are and shows the cursor again.
    mutating func finish() {
        terminal.write("\u{1B}[?25h")
        drawn = 0
    }

    /// Removes the lines.
    mutating func clear() {
        terminal.write(rewind + "\u{1B}[J\u{1B}[?25h")
        drawn = 0
    }

    private var rewind: String { drawn > 0 ? "\u{1B}[\(drawn)A\r" : "\r" }
}
