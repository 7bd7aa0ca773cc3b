import Foundation
import MediaDevice

extension FuzzTarget {
    /// Live sound of any format, in pieces of any size.
    static let liveSamples = FuzzTarget(
        name: "livesamples",
        seeds: {
            func sound(_ format: UInt8, _ rate: UInt16) -> [UInt8] {
                [format, UInt8(rate >> 8), UInt8(rate & 0xFF)] + [UInt8](0..<200)
            }
            return [sound(9, 44_100), sound(8, 48_000), sound(13, 8000), sound(7, 11_025), sound(33, 22_050)]
        },
        outcomes: ["sound", "none", "refused"], usualRuns: 500
    ) { bytes in
        guard bytes.count > 3 else { return "none" }
        let encodings = MediaSampleFormat.Encoding.allCases
        let source = MediaSampleFormat(
            encoding: encodings[Int(bytes[0]) / 8 % encodings.count],
            sampleRate: max(1000, Int(bytes[1]) << 8 | Int(bytes[2])), channelCount: 1 + Int(bytes[0]) % 8)
        let target = MediaSampleFormat(encoding: .signed16, sampleRate: 48_000, channelCount: 2)
        guard var conversion = SampleConversion(from: source, to: target) else { return "refused" }
        var rest = bytes[3...]
        var (read, converted) = (0, 0)
        while !rest.isEmpty {
            let piece = rest.prefix(Int(rest[rest.startIndex]) + 1)
            rest = rest.dropFirst(piece.count)
            read += piece.count / source.bytesPerFrame
            converted += conversion.convert(Data(piece)).count / target.bytesPerFrame
        }
        converted += conversion.finish().count / target.bytesPerFrame
        let expected = Int(Double(read) / conversion.ratio)
        try demand(
            abs(converted - expected) <= target.sampleRate / source.sampleRate + 2, "\(read) frames became \(converted)"
        )
        return converted > 0 ? "sound" : "none"
    }
}
