import Foundation

/// A wave file of a repeatable noise, which shows every lost or shifted sample, or of a tone. It is removed with this object.
package final class WaveFile: Sendable {
    package let path: String
    package let samples: [Int16]

    /// - Parameter tone: The frequency in Hz; `nil` for the noise.
    package init(frames: Int, rate: Int = 44_100, channels: Int = 2, tone: Double? = nil) throws {
        samples = (0..<frames * channels).map { index in
            guard let tone else { return Int16(truncatingIfNeeded: index &* 40_503 &+ index >> 3) }
            return Int16(10_000 * sin(2 * .pi * tone * Double(index / channels) / Double(rate)))
        }
        var data = Data("RIFF".utf8)
        func append<Number: FixedWidthInteger>(_ number: Number) {
            withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
        }
        append(UInt32(36 + samples.count * 2))
        data.append(contentsOf: "WAVEfmt ".utf8)
        append(UInt32(16))
        append(UInt16(1))
        append(UInt16(channels))
        append(UInt32(rate))
        append(UInt32(rate * channels * 2))
        append(UInt16(channels * 2))
        append(UInt16(16))
        data.append(contentsOf: "data".utf8)
        append(UInt32(samples.count * 2))
        for sample in samples { append(sample) }
        path = FileManager.default.temporaryDirectory.appending(path: "mdhost-\(UUID().uuidString).wav").path
        try data.write(to: URL(filePath: path))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
