import Foundation
import MediaDevice
import Testing

@testable import MediaDevice

struct SampleConversionTests {
    typealias Format = MediaSampleFormat

    private static func format(_ encoding: Format.Encoding, _ channels: Int = 1) -> Format {
        Format(encoding: encoding, sampleRate: 48_000, channelCount: channels)
    }

    private static func convert(_ data: [UInt8], _ source: Format, _ target: Format) throws -> [UInt8] {
        var conversion = try #require(SampleConversion(from: source, to: target))
        return Array(conversion.convert(Data(data)))
    }

    /// To a longer encoding and back, no bit changes.
    @Test(arguments: [Format.Encoding.unsigned8, .signed16, .signed24], [Format.Encoding.signed32, .float32])
    func toALongerEncodingAndBack(short: Format.Encoding, long: Format.Encoding) throws {
        let samples = (0..<(256 * short.byteCount)).map { UInt8(truncatingIfNeeded: $0 &* 97) }
        let converted = try Self.convert(samples, Self.format(short), Self.format(long))
        #expect(converted.count == 256 * long.byteCount)
        #expect(try Self.convert(converted, Self.format(long), Self.format(short)) == samples)
    }

    @Test func theExtremesStayInRange() throws {
        func float(_ value: Float) -> [UInt8] { withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) } }
        for (value, expected) in [(2, 0x7FFF), (1, 0x7FFF), (-1, 0x8000), (-7, 0x8000), (Float.nan, 0), (.infinity, 0)]
        {
            let result = try Self.convert(float(value), Self.format(.float32), Self.format(.signed16))
            #expect(Int(result[0]) | Int(result[1]) << 8 == expected, "\(value)")
        }
    }

    @Test func oneAndTwoChannels() throws {
        let stereo: [UInt8] = [0x00, 0x10, 0x00, 0x20]
        let mono: [UInt8] = [0x00, 0x18]
        #expect(try Self.convert(stereo, Self.format(.signed16, 2), Self.format(.signed16)) == mono)
        #expect(try Self.convert(mono, Self.format(.signed16), Self.format(.signed16, 2)) == mono + mono)
    }

    @Test func whatCantBeConverted() {
        #expect(SampleConversion(from: Self.format(.signed16, 2), to: Self.format(.signed16, 6)) == nil)
        #expect(SampleConversion(from: Self.format(.signed16, 6), to: Self.format(.signed16, 2)) != nil)
        #expect(SampleConversion(from: Self.format(.signed16, 6), to: Self.format(.float32, 6)) != nil)
    }
}
