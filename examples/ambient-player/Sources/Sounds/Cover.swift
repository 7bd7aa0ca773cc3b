/// Draws covers, as uncompressed PNG files.
public enum Cover {
    /// The largest that is drawn, in pixels each side.
    public static let greatestSide = 512

    /// A square in the soundscape's colour, darker towards its foot.
    ///
    /// - Parameter side: Pixels, from 16 to ``greatestSide``.
    public static func png(of soundscape: Soundscape, side: Int) -> [UInt8] {
        let side = min(greatestSide, max(16, side))
        let (red, green, blue) = soundscape.colour
        var pixels: [UInt8] = []
        pixels.reserveCapacity(side * (side * 3 + 1))
        for row in 0..<side {
            // The filter of the row: none.
            pixels.append(0)
            let shade = 256 - row * 128 / side
            let colour = [red, green, blue].map { UInt8(Int($0) * shade / 256) }
            for _ in 0..<side { pixels += colour }
        }
        var header = bigEndian(UInt32(side)) + bigEndian(UInt32(side))
        // Eight bits of red, green and blue each; the only compression and filtering there are; not interlaced.
        header += [8, 2, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header) + chunk("IDAT", stored(pixels))
            + chunk("IEND", [])
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return bigEndian(UInt32(data.count)) + body + bigEndian(checksum(body))
    }

    /// A zlib stream (RFC 1950) of stored blocks.
    private static func stored(_ data: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var rest = data[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            stream.append(rest.isEmpty ? 1 : 0)
            stream += [UInt8(length & 0xFF), UInt8(length >> 8), UInt8(~length & 0xFF), UInt8(~length >> 8)]
            stream += block
        } while !rest.isEmpty
        var (low, high): (UInt32, UInt32) = (1, 0)
        var left = data[...]
        while !left.isEmpty {
            // So many can be added before 32 bits overflow (zlib's NMAX).
            for byte in left.prefix(5552) {
                low &+= UInt32(byte)
                high &+= low
            }
            left = left.dropFirst(5552)
            (low, high) = (low % 65_521, high % 65_521)
        }
        return stream + bigEndian(high << 16 | low)
    }

    private static let remainders: [UInt32] = (0..<256).map { byte in
        var rest = UInt32(byte)
        for _ in 0..<8 { rest = rest & 1 == 1 ? 0xEDB8_8320 ^ (rest >> 1) : rest >> 1 }
        return rest
    }

    /// CRC-32 of PNG, annex D.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF) { rest, byte in remainders[Int((rest ^ UInt32(byte)) & 0xFF)] ^ (rest >> 8) }
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
