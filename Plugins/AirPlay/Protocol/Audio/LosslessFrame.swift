/// Audio in frames of Apple Lossless that say "not compressed": any receiver decodes them, and they cost no CPU.
///
/// Source: the format's open reference (ALACBitUtilities, "escape" frames).
package enum LosslessFrame {
    /// Frames, each a sample of both channels, of a packet.
    package static let frameCount = 352
    /// Bytes of an encoded packet of ``frameCount``.
    package static let encodedSize = (headerBits + frameCount * 32 + 3 + 7) / 8

    /// Element type (3 bits: 1, a pair), instance (4), unused (12), has a length (1), shifted bytes (2), not compressed (1).
    private static let headerBits = 23

    /// Encodes ``frameCount`` frames of interleaved stereo. Shorter input is padded with silence.
    ///
    /// - Parameter samples: The samples: left, right, left, … Samples beyond a packet are ignored.
    package static func encode(_ samples: ArraySlice<Int16>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: encodedSize) { bytes, count in
            // The header's first two bytes; its last seven bits stand before the first sample.
            bytes[0] = 0b0010_0000
            bytes[1] = 0
            var pending: UInt32 = 1
            var index = 2
            samples.withUnsafeBufferPointer { samples in
                for number in 0..<frameCount * 2 {
                    let sample = number < samples.count ? samples[number] : 0
                    let bits = pending << 16 | UInt32(UInt16(bitPattern: sample))
                    bytes[index] = UInt8(truncatingIfNeeded: bits >> 15)
                    bytes[index + 1] = UInt8(truncatingIfNeeded: bits >> 7)
                    pending = bits & 0x7F
                    index += 2
                }
            }
            // Three bits that end the frame, then zeros.
            let end = (pending << 3 | 7) << 6
            bytes[index] = UInt8(truncatingIfNeeded: end >> 8)
            bytes[index + 1] = UInt8(truncatingIfNeeded: end)
            count = index + 2
        }
    }
}
