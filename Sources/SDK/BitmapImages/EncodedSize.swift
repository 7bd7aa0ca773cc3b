import Foundation

/// A parser for the width and height in the header of a file.
enum EncodedSize {
    /// Returns the size of a PNG file; `nil` for other data.
    static func png(_ data: Data) -> (Int, Int)? {
        let bytes = Array(data.prefix(24))
        guard bytes.count == 24, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
            bytes[12..<16].elementsEqual("IHDR".utf8)
        else { return nil }
        func number(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        return valid(number(16), number(20))
    }

    /// Returns the size of a JPEG file from its first frame header; `nil` for other data.
    static func jpeg(_ data: Data) -> (Int, Int)? {
        let bytes = Array(data)
        guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
        var place = 2
        while place + 9 < bytes.count, bytes[place] == 0xFF {
            let marker = bytes[place + 1]
            let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                return valid(
                    Int(bytes[place + 7]) << 8 | Int(bytes[place + 8]),
                    Int(bytes[place + 5]) << 8 | Int(bytes[place + 6]))
            }
            guard length >= 2 else { return nil }
            place += 2 + length
        }
        return nil
    }

    private static func valid(_ width: Int, _ height: Int) -> (Int, Int)? {
        let sides = 1...CGImage.greatestSide
        return sides.contains(width) && sides.contains(height) ? (width, height) : nil
    }
}
