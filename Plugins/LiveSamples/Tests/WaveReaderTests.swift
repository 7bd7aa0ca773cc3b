import Foundation
import LiveSamples
import Testing

/// WAVE streams, in pieces.
@Suite struct WaveReaderTests {
    private func header(_ code: UInt16, bits: UInt16, channels: UInt16, rate: UInt32) -> [UInt8] {
        func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
        let size = channels * bits / 8
        return Array("RIFF".utf8) + bytes(UInt32.max) + Array("WAVEfmt ".utf8) + bytes(UInt32(16)) + bytes(code)
            + bytes(channels) + bytes(rate) + bytes(rate * UInt32(size)) + bytes(size) + bytes(bits)
            + Array("data".utf8) + bytes(UInt32.max)
    }

    @Test(arguments: [1, 7, 1000])
    func samplesComeOutAsTheyAre(_ piece: Int) throws {
        var reader = WaveReader(rate: 48_000)
        let samples = (0..<400).map { Int16($0 * 37 % 4000 - 2000) }
        let bytes = header(1, bits: 16, channels: 2, rate: 48_000) + samples.withUnsafeBytes { Array($0) }
        var result: [Int16] = []
        for start in stride(from: 0, to: bytes.count, by: piece) {
            result += try reader.append(Array(bytes[start..<min(bytes.count, start + piece)]))
        }
        #expect(result == samples)
    }

    @Test func otherFormatsAreConverted() throws {
        var float = WaveReader(rate: 48_000)
        let values: [Float] = [0.5, -1, 2, .nan]
        let bytes = header(3, bits: 32, channels: 1, rate: 48_000) + values.withUnsafeBytes { Array($0) }
        #expect(try float.append(bytes) == [16_384, 16_384, -32_768, -32_768, 32_767, 32_767, 0, 0])
        var small = WaveReader(rate: 48_000)
        #expect(
            try small.append(header(1, bits: 8, channels: 1, rate: 48_000) + [128, 255]) == [0, 0, 32_512, 32_512])
        var large = WaveReader(rate: 48_000)
        #expect(
            try large.append(header(1, bits: 24, channels: 2, rate: 48_000) + [9, 1, 2, 9, 3, 4]) == [0x201, 0x403])
    }

    @Test func anythingElseIsRefused() {
        var reader = WaveReader(rate: 48_000)
        #expect(throws: WaveError.malformed) { try reader.append(Array("ID3 is no header of WAVE".utf8)) }
        var odd = WaveReader(rate: 48_000)
        #expect(throws: WaveError.rate(47_999)) { try odd.append(header(1, bits: 16, channels: 2, rate: 47_999)) }
    }

    /// A tone stays a tone: everything else is 80 dB below it.
    @Test(arguments: [44_100, 22_050, 96_000])
    func aToneSurvivesAnotherRate(_ rate: Int) throws {
        var resampler = try Resampler(from: rate, to: 48_000)
        var result: [Int16] = []
        for start in stride(from: 0, to: rate, by: 441) {
            let piece = (start..<min(rate, start + 441)).flatMap { index -> [Int16] in
                let value = Int16((16_000 * sin(2 * .pi * 1000 * Double(index) / Double(rate))).rounded())
                return [value, -value]
            }
            result += resampler.convert(piece)
        }
        #expect(abs(result.count / 2 - 48_000) < 200)
        var error = 0.0
        for index in 1000..<40_000 {
            let ideal = 16_000 * sin(2 * .pi * 1000 * Double(index) / 48_000)
            error += pow(Double(result[index * 2]) - ideal, 2) + pow(Double(result[index * 2 + 1]) + ideal, 2)
        }
        let noise = 10 * log10(error / 78_000 / (16_000 * 16_000 / 2))
        #expect(noise < -80, "\(noise) dB")
    }
}
