extension QRCode {
    /// Modules of light around it, which cameras need.
    package static let quietZone = 4

    /// Lines for a terminal: half blocks, two rows a line, with the colours of a light ground set by SGR.
    package var terminalLines: [String] {
        let range = -Self.quietZone..<size + Self.quietZone
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { y in
            let cells = range.map { x -> String in
                switch (self[x, y], self[x, y + 1]) {
                case (false, false): " "
                case (true, false): "▀"
                case (false, true): "▄"
                case (true, true): "█"
                }
            }
            return "\u{1b}[30;107m" + cells.joined() + "\u{1b}[0m"
        }
    }

    /// The data of an SVG path of the dark modules, one unit each, without the quiet zone.
    package var path: String {
        var path = ""
        for y in 0..<size {
            var x = 0
            while x < size {
                guard self[x, y] else {
                    x += 1
                    continue
                }
                let start = x
                while self[x, y] { x += 1 }
                path += "M\(start) \(y)h\(x - start)v1h-\(x - start)z"
            }
        }
        return path
    }
}
