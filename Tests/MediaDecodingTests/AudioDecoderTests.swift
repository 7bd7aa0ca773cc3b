import Foundation
import MediaDecoding
import Testing

@Suite(.timeLimit(.minutes(1))) struct AudioDecoderTests {
    /// A wave file of a repeatable noise, which shows every lost or shifted sample.
    private static func wave(frames: Int, rate: Int = 44_100, channels: Int = 2) throws -> (
        path: String, samples: [Int16]
    ) {
        let samples = (0..<frames * channels).map { Int16(truncatingIfNeeded: $0 &* 40_503 &+ $0 >> 3) }
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
        let path = FileManager.default.temporaryDirectory.appending(path: "mdhost-\(UUID().uuidString).wav").path
        try data.write(to: URL(filePath: path))
        return (path, samples)
    }

    private static func all(_ decoder: AudioDecoder) throws -> [Int16] {
        var samples: [Int16] = []
        while let more = try decoder.read() { samples += more }
        return samples
    }

    @Test func givesWhatIsStoredSampleBySample() throws {
        let (path, samples) = try Self.wave(frames: 100_001)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let decoder = try AudioDecoder(address: path)
        #expect(try Self.all(decoder) == samples)
        #expect(try decoder.read() == nil)
        #expect(abs((decoder.facts.duration ?? 0) - 100_001 / 44_100) < 0.001)
        #expect(decoder.facts.isSeekable)
    }

    @Test(arguments: [0, 1, 4096, 50_000, 99_999]) func seeksToTheFrame(frame: Int) throws {
        let (path, samples) = try Self.wave(frames: 100_000)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let decoder = try AudioDecoder(address: path)
        _ = try decoder.read()
        try decoder.seek(toFrame: Int64(frame))
        #expect(try Self.all(decoder) == Array(samples.dropFirst(frame * 2)))
    }

    @Test func convertsOtherRatesAndChannels() throws {
        let (path, _) = try Self.wave(frames: 48_000, rate: 48_000, channels: 1)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let samples = try Self.all(try AudioDecoder(address: path))
        #expect(abs(samples.count - 88_200) < 40)
        #expect(stride(from: 0, to: samples.count, by: 2).allSatisfy { samples[$0] == samples[$0 + 1] })
    }

    @Test func tellsWhatIsWrong() throws {
        #expect(throws: DecodingError.unreadable("No such file or directory")) {
            try AudioDecoder(address: "/nonexistent.flac")
        }
        let path = FileManager.default.temporaryDirectory.appending(path: "mdhost-\(UUID().uuidString).mp3").path
        try Data("This is no music at all.".utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(throws: DecodingError.self) { try AudioDecoder(address: path) }
    }

    @Test func stopsWhenTold() throws {
        let (path, _) = try Self.wave(frames: 100_000)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let stop = DecodingStop()
        let decoder = try AudioDecoder(address: path, stop: stop)
        stop.stop()
        #expect(throws: DecodingError.cancelled) { try Self.all(decoder) }
    }
}
