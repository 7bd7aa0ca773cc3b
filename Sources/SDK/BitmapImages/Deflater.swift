import Foundation

/// A compressor with the fixed codes of RFC 1951, section 3.2.6. Only runs of one byte become matches, which is enough
/// for filtered rows of drawn pictures.
struct Deflater {
    private var output = Data()
    private var bits: UInt64 = 0
    private var count = 0

    /// Returns a zlib stream (RFC 1950).
    static func zlib(_ input: [UInt8]) -> Data {
        var deflater = Deflater()
        deflater.output = Data([0x78, 0x01])
        deflater.write(input)
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in input {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        deflater.output.append(contentsOf: withUnsafeBytes(of: (high << 16 | low).bigEndian) { Array($0) })
        return deflater.output
    }

    private mutating func write(_ input: [UInt8]) {
        put(0b011, 3)  // The last block, with fixed codes.
        var place = 0
        while place < input.count {
            let byte = input[place]
            var length = 1
            while length < 259, place + length < input.count, input[place + length] == byte { length += 1 }
            literal(Int(byte))
            place += 1
            // The shortest match has three bytes.
            guard length >= 4 else { continue }
            match(length - 1)
            place += length - 1
        }
        literal(256)
        if count > 0 { put(0, 8 - count % 8) }
        flush()
    }

    private mutating func literal(_ symbol: Int) {
        switch symbol {
        case 0...143: code(0x30 + symbol, 8)
        case 144...255: code(0x190 + symbol - 144, 9)
        case 256...279: code(symbol - 256, 7)
        default: code(0xC0 + symbol - 280, 8)
        }
    }

    /// Writes a match: `3...258` repetitions of the last byte.
    private mutating func match(_ length: Int) {
        if length == 258 {
            literal(285)
        } else {
            let offset = length - 3
            let extra = offset < 8 ? 0 : (Int.bitWidth - 1 - offset.leadingZeroBitCount) - 2
            literal(257 + (extra << 2) + (offset >> extra))
            put(UInt64(offset & ((1 << extra) - 1)), extra)
        }
        code(0, 5)  // One byte back.
    }

    /// Writes a code. Codes start with their highest bit, unlike everything else.
    private mutating func code(_ value: Int, _ length: Int) {
        let reversed = (0..<length).reduce(0) { $0 << 1 | (value >> $1) & 1 }
        put(UInt64(reversed), length)
    }

    private mutating func put(_ value: UInt64, _ length: Int) {
        bits |= value << UInt64(count)
        count += length
        flush()
    }

    private mutating func flush() {
        while count >= 8 {
            output.append(UInt8(bits & 0xFF))
            bits >>= 8
            count -= 8
        }
    }
}
