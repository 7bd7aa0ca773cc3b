import Foundation
import HostInterface

/// The conversion of interleaved frames to another encoding, and between one and two channels.
struct SampleConversion: Sendable, Hashable {
    let source: MediaSampleFormat
    let target: MediaSampleFormat

    /// `nil` if the sample rates differ, or the channels can't be converted.
    init?(from source: MediaSampleFormat, to target: MediaSampleFormat) {
        guard source.sampleRate == target.sampleRate,
            source.channelCount == target.channelCount
                || (1...2).contains(source.channelCount) && (1...2).contains(target.channelCount)
        else { return nil }
        self.source = source
        self.target = target
    }

    /// Converts whole frames. The rest of an incomplete frame is dropped.
    func convert(_ frames: Data) -> Data {
        guard source != target else { return Data(frames) }
        let count = frames.count / source.bytesPerFrame
        var result = Data(capacity: count * target.bytesPerFrame)
        frames.withUnsafeBytes { bytes in
            for frame in 0..<count {
                let samples = (0..<source.channelCount).map { channel in
                    Self.read(
                        bytes, at: (frame * source.channelCount + channel) * source.encoding.byteCount, source.encoding)
                }
                for sample in mix(samples) { Self.append(sample, target.encoding, to: &result) }
            }
        }
        return result
    }

    private func mix(_ samples: [Double]) -> [Double] {
        switch (source.channelCount, target.channelCount) {
        case (2, 1): [(samples[0] + samples[1]) / 2]
        case (1, 2): [samples[0], samples[0]]
        default: samples
        }
    }

    /// Reads a sample as `-1.0...1.0`.
    private static func read(
        _ bytes: UnsafeRawBufferPointer, at offset: Int, _ encoding: MediaSampleFormat.Encoding
    ) -> Double {
        switch encoding {
        case .unsigned8: return (Double(bytes[offset]) - 128) / 128
        case .signed16: return Double(Int16(littleEndian: load(bytes, offset))) / 32_768
        case .signed24:
            let value = UInt32(bytes[offset]) | UInt32(bytes[offset + 1]) << 8 | UInt32(bytes[offset + 2]) << 16
            return Double(Int32(bitPattern: value << 8) >> 8) / 8_388_608
        case .signed32: return Double(Int32(littleEndian: load(bytes, offset))) / 2_147_483_648
        case .float32:
            let value = Float(bitPattern: UInt32(littleEndian: load(bytes, offset)))
            return value.isFinite ? Double(value) : 0
        }
    }

    private static func load<Value: FixedWidthInteger>(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Value {
        bytes.loadUnaligned(fromByteOffset: offset, as: Value.self)
    }

    private static func append(_ sample: Double, _ encoding: MediaSampleFormat.Encoding, to data: inout Data) {
        func scaled(_ bits: Int) -> Int32 {
            let limit = Double(1 << (bits - 1))
            return Int32(min(max((sample * limit).rounded(), -limit), limit - 1))
        }
        switch encoding {
        case .unsigned8: data.append(UInt8(scaled(8) + 128))
        case .signed16: append(Int16(scaled(16)), to: &data)
        case .signed24:
            let value = UInt32(bitPattern: scaled(24))
            data.append(contentsOf: [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)])
            data.append(UInt8(truncatingIfNeeded: value >> 16))
        case .signed32: append(scaled(32), to: &data)
        case .float32: append(Float(sample).bitPattern, to: &data)
        }
    }

    private static func append(_ value: some FixedWidthInteger, to data: inout Data) {
        withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
    }
}
