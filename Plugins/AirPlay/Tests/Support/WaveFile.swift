import AirPlayProtocol
import Foundation

/// A file of a repeatable noise at 44,100 Hz in stereo, which shows every lost or shifted sample; gone with its owner.
final class WaveFile: Sendable {
    let samples: [Int16]
    let url: URL

    init(seconds: Double) throws {
        let count = Int(seconds * 44_100) * 2
        samples = (0..<count).map { Int16(truncatingIfNeeded: ($0 &* 40_503) >> 4) }
        var data = Data("RIFF".utf8)
        func append<Number: FixedWidthInteger>(_ number: Number) {
            withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
        }
        append(UInt32(36 + count * 2))
        data.append(contentsOf: "WAVEfmt ".utf8)
        append(UInt32(16))
        append(UInt16(1))
        append(UInt16(2))
        append(UInt32(44_100))
        append(UInt32(176_400))
        append(UInt16(4))
        append(UInt16(16))
        data.append(contentsOf: "data".utf8)
        append(UInt32(count * 2))
        samples.withUnsafeBytes { data.append(contentsOf: $0) }
        url = FileManager.default.temporaryDirectory.appending(path: "mdhost-noise-\(UUID().uuidString).wav")
        try data.write(to: url)
    }

    /// As packets carry it from that second on.
    func payloads(from second: Int = 0) -> [[UInt8]] {
        stride(from: second * 88_200, to: samples.count, by: 704).map { start in
            LosslessFrame.encode(samples[start..<min(samples.count, start + 704)])
        }
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
