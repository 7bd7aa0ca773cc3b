import Foundation

/// An encoder for PNG files (RFC 2083). Each row is stored as the difference from the one above.
enum PNGEncoder {
    /// Returns a PNG file.
    ///
    /// - Parameters:
    ///   - pixels: The pixels, with eight bits per component and rows without padding.
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    ///   - components: The number of components: 1, 3 or 4.
    static func encode(_ pixels: Data, width: Int, height: Int, components: Int) -> Data {
        var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        let colourType: UInt8 = [1: 0, 3: 2, 4: 6][components] ?? 6
        file.append(chunk("IHDR", Data(bytes(UInt32(width)) + bytes(UInt32(height)) + [8, colourType, 0, 0, 0])))
        let filtered = filter(Array(pixels), rowLength: width * components)
        file.append(chunk("IDAT", Deflater.zlib(filtered)))
        file.append(chunk("IEND", Data()))
        return file
    }

    /// Applies filter 2, "up", to every row, so that plain areas become zeros.
    private static func filter(_ pixels: [UInt8], rowLength: Int) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(pixels.count + pixels.count / max(1, rowLength))
        for start in stride(from: 0, to: pixels.count, by: rowLength) {
            result.append(2)
            for place in start..<start + rowLength {
                result.append(start == 0 ? pixels[place] : pixels[place] &- pixels[place - rowLength])
            }
        }
        return result
    }

    private static func chunk(_ type: String, _ content: Data) -> Data {
        let body = Data(type.utf8) + content
        return Data(bytes(UInt32(content.count))) + body + Data(bytes(crc(body)))
    }

    private static func bytes(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }

    private static let crcTable: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    private static func crc(_ data: Data) -> UInt32 {
        ~data.reduce(~0 as UInt32) { crcTable[Int(($0 ^ UInt32($1)) & 0xFF)] ^ ($0 >> 8) }
    }
}
