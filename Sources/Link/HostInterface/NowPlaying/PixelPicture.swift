/// A picture as pixels of three bytes, red, green and blue, by rows from the top.
package struct PixelPicture: Sendable, Hashable {
    /// Pixels.
    package static let greatestSide = 512

    package let width: Int
    package let height: Int
    package let bytes: [UInt8]

    /// `nil` for sides that aren't 1…``greatestSide``, or another number of bytes.
    package init?(width: Int, height: Int, bytes: [UInt8]) {
        let sides = 1...Self.greatestSide
        guard sides.contains(width), sides.contains(height), bytes.count == width * height * 3 else { return nil }
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    /// The picture as a file in the PPM format (`P6`).
    package var portablePixmap: [UInt8] { Array("P6\n\(width) \(height)\n255\n".utf8) + bytes }

    /// Reads what ``portablePixmap`` wrote; `nil` for anything else.
    package init?(portablePixmap file: [UInt8]) {
        let lines = file.split(separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
        guard lines.count == 4, lines[0].elementsEqual("P6".utf8), lines[1].count <= 9,
            lines[2].elementsEqual("255".utf8)
        else { return nil }
        let sides = lines[1].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            .map { Int(String(decoding: $0, as: UTF8.self)) }
        guard sides.count == 2, let width = sides[0], let height = sides[1] else { return nil }
        self.init(width: width, height: height, bytes: Array(lines[3]))
    }
}
