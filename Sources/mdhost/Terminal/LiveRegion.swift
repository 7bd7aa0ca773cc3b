/// Lines at the bottom of a terminal that are drawn again in place.
struct LiveRegion {
    private let terminal: Terminal
    private var drawn = 0

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
