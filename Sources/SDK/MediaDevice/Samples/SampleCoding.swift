import Foundation

extension MediaSampleFormat.Encoding {
    /// Reads samples as `-1.0...1.0`. An incomplete one is dropped.
    func decode(_ data: Data) -> [Float] {
        data.withUnsafeBytes { bytes in
            let count = bytes.count / byteCount
            return [Float](unsafeUninitializedCapacity: count) { samples, length in
                for index in 0..<count { samples.initializeElement(at: index, to: sample(bytes, at: index)) }
                length = count
            }
        }
    }

    /// Writes samples; those out of range become the loudest.
    func encode(_ samples: [Float]) -> Data {
        var data = Data(count: samples.count * byteCount)
        data.withUnsafeMutableBytes { bytes in
            for (index, sample) in samples.enumerated() { store(sample, in: bytes, at: index) }
        }
        return data
    }

    private func sample(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Float {
        let offset = index * byteCount
        switch self {
        case .unsigned8: return (Float(bytes[offset]) - 128) / 128
        case .signed16: return Float(Int16(littleEndian: Self.load(bytes, offset))) / 32_768
        case .signed24:
            let value = UInt32(bytes[offset]) | UInt32(bytes[offset + 1]) << 8 | UInt32(bytes[offset + 2]) << 16
            return Float(Int32(bitPattern: value << 8) >> 8) / 8_388_608
        case .signed32: return Float(Int32(littleEndian: Self.load(bytes, offset))) / 2_147_483_648
        case .float32:
            let value = Float(bitPattern: UInt32(littleEndian: Self.load(bytes, offset)))
            return value.isFinite ? value : 0
        }
    }

    private static func load<Value: FixedWidthInteger>(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Value {
        bytes.loadUnaligned(fromByteOffset: offset, as: Value.self)
    }

    private func store(_ sample: Float, in bytes: UnsafeMutableRawBufferPointer, at index: Int) {
        let offset = index * byteCount
        func scaled(_ bits: Int) -> Int32 {
            let limit = Double(1 << (bits - 1))
            return Int32(min(max((Double(sample) * limit).rounded(), -limit), limit - 1))
        }
        switch self {
        case .unsigned8: bytes[offset] = UInt8(scaled(8) + 128)
        case .signed16: bytes.storeBytes(of: Int16(scaled(16)).littleEndian, toByteOffset: offset, as: Int16.self)
        case .signed24:
            let value = UInt32(bitPattern: scaled(24))
            for byte in 0..<3 { bytes[offset + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
        case .signed32: bytes.storeBytes(of: scaled(32).littleEndian, toByteOffset: offset, as: Int32.self)
        case .float32:
            bytes.storeBytes(of: sample.bitPattern.littleEndian, toByteOffset: offset, as: UInt32.self)
        }
    }
}
