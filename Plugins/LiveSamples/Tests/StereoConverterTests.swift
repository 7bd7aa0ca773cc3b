import Foundation
import LiveSamples
import Testing

@Suite struct StereoConverterTests {
    private func bytes(_ samples: [Int16]) -> Data { samples.map(\.littleEndian).withUnsafeBytes { Data($0) } }

    @Test func stereoAtTheSameRateStaysAsItIs() throws {
        var converter = try StereoConverter(channels: 2, from: 48_000, to: 48_000)
        #expect(converter.convert(bytes([1, -2, 32_767, -32_768])) == [1, -2, 32_767, -32_768])
        #expect(converter.finish().isEmpty)
    }

    /// A block of a larger one begins at any place in memory.
    @Test func dataMayBeginAnywhere() throws {
        var converter = try StereoConverter(channels: 1, from: 48_000, to: 48_000)
        #expect(converter.convert((Data([9]) + bytes([300, 5])).dropFirst()) == [300, 300, 5, 5])
    }

    @Test(arguments: [8000, 11_025, 22_050, 44_100, 96_000, 192_000])
    func otherRatesAreConverted(_ rate: Int) throws {
        let tone = (0..<rate).map { Int16(16_000 * sin(2 * .pi * 1000 * Double($0) / Double(rate))) }
        var converter = try StereoConverter(channels: 1, from: rate, to: 48_000)
        var result: [Int16] = []
        for start in stride(from: 0, to: tone.count, by: 441) {
            result += converter.convert(bytes(Array(tone[start..<min(start + 441, tone.count)])))
        }
        result += converter.finish()
        #expect(abs(result.count / 2 - 48_000) <= 8)
        let left = stride(from: 0, to: result.count, by: 2).map { result[$0] }
        // Without the edges, where silence adjoins.
        for index in 2000..<46_000 {
            let wanted = 16_000 * sin(2 * .pi * 1000 * Double(index) / 48_000)
            #expect(abs(Double(left[index]) - wanted) < 40, "at \(index)")
        }
    }

    @Test func ratesWithTooLittleInCommonAreRefused() {
        #expect(throws: ConversionError.rate(44_101)) {
            try StereoConverter(channels: 2, from: 44_101, to: 48_000)
        }
    }
}
