/// Rows of cells laid out in columns that fit the terminal; a value without I/O.
struct Table {
    struct Cell {
        var text: String
        var style: Style?
        init(_ text: String, _ style: Style? = nil) {
            // In one place for all tables: their texts come from devices, extensions and files.
            self.text = DisplayText.line(text)
            self.style = style
        }
    }

    private static let gap = 2

    var headings: [String]
    var rows: [[Cell]]

    /// Returns the lines of the table, each at most `width` wide. If it is too wide, the widest columns shrink evenly:
    /// first down to 8, then down to 1. Columns without even that room are left out.
    func lines(width: Int, style: (Style, String) -> String) -> [String] {
        let widths = fittedWidths(width)
        let heading = headings.map { Cell($0, .dim) }
        return ([heading] + rows).map { row in
            var line = ""
            for (index, cell) in row.prefix(widths.count).enumerated() {
                let isLast = index == widths.count - 1
                let fitted = DisplayText.fit(cell.text, widths[index])
                let padded = isLast ? fitted : DisplayText.pad(fitted, widths[index] + Self.gap)
                line += cell.style.map { style($0, padded) } ?? padded
            }
            return line
        }
    }

    private func fittedWidths(_ width: Int) -> [Int] {
        let count = min(headings.count, max(1, (min(width, .max - Self.gap) + Self.gap) / (1 + Self.gap)))
        var widths = (0..<count).map { index in
            ([headings[index]] + rows.map { $0[index].text }).map(DisplayText.width).max() ?? 0
        }
        let room = width - Self.gap * max(0, count - 1)
        for least in [8, 1] {
            while widths.reduce(0, +) > room, let widest = widths.max(), widest > least,
                let index = widths.firstIndex(of: widest)
            {
                widths[index] -= 1
            }
        }
        return widths
    }
}
