import HostInterface

/// The header of a WAVE file of unlimited length.
///
/// Source: Microsoft's multimedia data standards update. Lengths of all one bits are used by programs that write to
/// pipes.
enum WaveHeader {
    static func bytes(of format: SampleFormat) -> [UInt8] {
        let frame = format.bytesPerFrame
        let kind: UInt16 = format.encoding == .float32 ? 3 : 1
        return Array("RIFF".utf8) + little(UInt32.max) + Array("WAVEfmt ".utf8) + little(UInt32(16)) + little(kind)
            + little(UInt16(format.channels)) + little(UInt32(format.rate)) + little(UInt32(format.rate * frame))
            + little(UInt16(frame)) + little(UInt16(format.encoding.bytes * 8)) + Array("data".utf8)
            + little(UInt32.max)
    }

    private static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}
