import Foundation
import HostInterface
import Testing

@testable import MediaDevice

/// Blocks at another rate than that of the source.
struct SampleRateTests {
    private static let stereo = MediaSampleFormat(encoding: .signed16, sampleRate: 48_000, channelCount: 2)

    private func bytes(_ samples: [Int16]) -> Data { samples.map(\.littleEndian).withUnsafeBytes { Data($0) } }

    private func conversion(from rate: Int, channels: Int = 1) throws -> BlockConversion {
        let source = MediaSampleFormat(encoding: .signed16, sampleRate: rate, channelCount: channels)
        return BlockConversion(try #require(SampleConversion(from: source, to: Self.stereo)))
    }

    /// A packet whose first frame is heard when it is due.
    private func packet(_ frame: Int, of rate: Int) -> SamplePacket {
        SamplePacket(frame: UInt64(frame), time: UInt64(1_000_000_000 + frame * 1_000_000_000 / rate))
    }

    /// The macro takes no calls that change a value.
    private func block(_ block: MediaSampleBlock?) throws -> MediaSampleBlock { try #require(block) }

    @Test func theSameRateStaysAsItIs() throws {
        var conversion = try conversion(from: 48_000, channels: 2)
        let block = try block(conversion.block(packet(480, of: 48_000), bytes([1, -2, 32_767, -32_768])))
        #expect(block.signed16 == [1, -2, 32_767, -32_768] && block.frameCount == 2)
        #expect(block.presentationTime == CMTime(value: 480, timescale: 48_000))
        #expect(block.hostTime == CMTime(value: 1_010_000_000, timescale: 1_000_000_000))
        let rest = conversion.last()
        #expect(rest == nil)
    }

    /// A block of a larger one begins at any place in memory.
    @Test func dataMayBeginAnywhere() throws {
        var conversion = try conversion(from: 48_000)
        let data = (Data([9]) + bytes([300, 5])).dropFirst()
        let block = conversion.block(packet(0, of: 48_000), data)
        #expect(block?.signed16 == [300, 300, 5, 5])
    }

    @Test(arguments: [8000, 11_025, 22_050, 44_100, 96_000, 192_000])
    func otherRatesAreConvertedAndKeepTheirTime(_ rate: Int) throws {
        let tone = (0..<rate).map { Int16(16_000 * sin(2 * .pi * 1000 * Double($0) / Double(rate))) }
        var conversion = try conversion(from: rate)
        var result: [Int16] = []
        func take(_ block: MediaSampleBlock?) {
            guard let block else { return }
            #expect(block.presentationTime == CMTime(value: Int64(result.count / 2), timescale: 48_000))
            let heard = 1 + block.presentationTime.seconds
            #expect(abs(block.hostTime.seconds - heard) < 0.000_001, "\(block.hostTime.seconds) and not \(heard) s")
            result += block.signed16
        }
        for start in stride(from: 0, to: tone.count, by: 441) {
            take(conversion.block(packet(start, of: rate), bytes(Array(tone[start..<min(start + 441, tone.count)]))))
        }
        take(conversion.last())
        let further = conversion.last()
        #expect(further == nil)
        #expect(abs(result.count / 2 - 48_000) <= 8)
        let left = stride(from: 0, to: result.count, by: 2).map { result[$0] }
        // Without the edges, where silence adjoins.
        for index in 2000..<46_000 {
            let wanted = 16_000 * sin(2 * .pi * 1000 * Double(index) / 48_000)
            #expect(abs(Double(left[index]) - wanted) < 40, "at \(index)")
        }
    }

    @Test func aGapStaysAGap() throws {
        var conversion = try conversion(from: 24_000)
        let silence = bytes([Int16](repeating: 0, count: 240))
        let first = try block(conversion.block(packet(0, of: 24_000), silence))
        let second = try block(conversion.block(packet(240, of: 24_000), silence))
        #expect(second.presentationTime.value == Int64(first.frameCount))
        let later = try block(conversion.block(packet(2400, of: 24_000), silence))
        #expect(later.presentationTime == CMTime(value: 4800, timescale: 48_000))
        #expect(abs(later.hostTime.seconds - 1.1) < 0.000_001)
    }

    @Test func aFarFrameIsNoReasonToEnd() throws {
        var conversion = try conversion(from: 44_100)
        let block = conversion.block(SamplePacket(frame: .max, time: .max), bytes([Int16](repeating: 0, count: 441)))
        #expect(block?.presentationTime.isNumeric == true)
    }

    @Test func ratesWithTooLittleInCommonAreRefused() {
        let odd = MediaSampleFormat(encoding: .signed16, sampleRate: 44_101, channelCount: 2)
        #expect(SampleConversion(from: odd, to: Self.stereo) == nil)
    }
}
