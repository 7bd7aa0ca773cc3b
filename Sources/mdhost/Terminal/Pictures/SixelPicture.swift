import HostInterface

/// A picture as Sixel graphics (DEC STD 070, chapter 9): bands of six rows, in each of its colours.
enum SixelPicture {
    typealias Colour = ColourTable.Colour

    /// Returns the control sequence that shows a picture at the cursor.
    static func text(_ picture: PixelPicture, colours: Int) -> String {
        var table = ColourTable(picture, most: colours)
        let indices = dithered(picture, &table)
        var text = "\u{1B}P0;1;0q\"1;1;\(picture.width);\(picture.height)"
        for (index, colour) in table.colours.enumerated() {
            // In per cent.
            let parts = (colour &* 100 &+ 127) / 255
            text += "#\(index);2;\(parts.x);\(parts.y);\(parts.z)"
        }
        for top in stride(from: 0, to: picture.height, by: 6) {
            text += band(indices, top: top, picture) + "-"
        }
        return text + "\u{1B}\\"
    }

    private static func band(_ indices: [UInt8], top: Int, _ picture: PixelPicture) -> String {
        let rows = min(6, picture.height - top)
        var columns: [UInt8: [UInt8]] = [:]
        for row in 0..<rows {
            for x in 0..<picture.width {
                let colour = indices[(top + row) * picture.width + x]
                columns[colour, default: [UInt8](repeating: 0, count: picture.width)][x] |= 1 << UInt8(row)
            }
        }
        return columns.sorted { $0.key < $1.key }.map { "#\($0.key)" + runs($0.value) }.joined(separator: "$")
    }

    /// Repetitions as `!count character`.
    private static func runs(_ columns: [UInt8]) -> String {
        var bytes: [UInt8] = []
        var start = 0
        while start < columns.count {
            let end = columns[start...].firstIndex { $0 != columns[start] } ?? columns.count
            let character = columns[start] + UInt8(ascii: "?")
            if end - start > 3 {
                bytes += Array("!\(end - start)".utf8) + [character]
            } else {
                bytes += [UInt8](repeating: character, count: end - start)
            }
            start = end
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the index of the colour of each pixel; its error is distributed (Floyd and Steinberg 1976).
    private static func dithered(_ picture: PixelPicture, _ table: inout ColourTable) -> [UInt8] {
        let width = picture.width
        var indices = [UInt8](repeating: 0, count: width * picture.height)
        var errors = [Colour](repeating: Colour(repeating: 0), count: width + 2)
        for y in 0..<picture.height {
            // The errors for this row, from the one before, and those for the next: one column of room on either side.
            var following = [Colour](repeating: Colour(repeating: 0), count: width + 2)
            for x in 0..<width {
                let pixel = (y * width + x) * 3
                let exact = Colour(
                    Int32(picture.bytes[pixel]), Int32(picture.bytes[pixel + 1]), Int32(picture.bytes[pixel + 2]))
                let wanted = (exact &+ errors[x + 1] / 16).clamped(
                    lowerBound: Colour(repeating: 0), upperBound: Colour(repeating: 255))
                let index = table.index(of: wanted)
                indices[y * width + x] = UInt8(index)
                let error = wanted &- table.colours[index]
                errors[x + 2] &+= error &* 7
                following[x] &+= error &* 3
                following[x + 1] &+= error &* 5
                following[x + 2] &+= error
            }
            errors = following
        }
        return indices
    }
}
