import Foundation
import Testing

@testable import MediaDecoding

struct PackedSampleConverterTests {
    /// A second of a tone of 1 kHz at half the level, the same in every channel.
    private static func tone(rate: Int, channels: Int) -> [Int16] {
        (0..<rate).flatMap { frame in
            let sample = Int16(16_384 * sin(2 * .pi * 1_000 * Double(frame) / Double(rate)))
            return Array(repeating: sample, count: channels)
        }
    }

    private static func converted(_ samples: [Int16], _ rate: Int, _ channels: Int) throws -> [Int16] {
        var converter = PackedSampleConverter(sourceRate: rate, channels: channels, rate: 44_100)
        var result: [Int16] = []
        // Blocks of odd lengths.
        for start in stride(from: 0, to: samples.count, by: channels * 1_237) {
            result += try converter.convert(Array(samples[start..<min(samples.count, start + channels * 1_237)]))
        }
        return result + converter.finish()
    }

    @Test func theSameFormatStaysAsItIs() throws {
        let samples = Self.tone(rate: 44_100, channels: 2)
        #expect(try Self.converted(samples, 44_100, 2) == samples)
    }

    @Test(arguments: [(48_000, 2), (22_050, 1), (96_000, 2), (48_000, 6)])
    func aToneStaysTheSameTone(_ rate: Int, _ channels: Int) throws {
        let result = try Self.converted(Self.tone(rate: rate, channels: channels), rate, channels)
        #expect(abs(result.count / 2 - 44_100) < 50)
        let expected = Self.tone(rate: 44_100, channels: 2)
        // Not at the ends, where the resampler has nothing to go by. The channels of 5.1 are mixed, so the level differs.
        let middle = 4_000..<80_000
        let (power, product) = middle.reduce(into: (0.0, 0.0)) { sums, index in
            sums.0 += Double(result[index]) * Double(result[index])
            sums.1 += Double(result[index]) * Double(expected[index])
        }
        let reference = middle.reduce(0.0) { $0 + Double(expected[$1]) * Double(expected[$1]) }
        #expect(product / (power * reference).squareRoot() > 0.999)
    }
}
