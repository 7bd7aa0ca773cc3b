import Foundation
import MediaDecoding
import MediaDecodingSupport
import MediaReading
import Testing

@Suite(.timeLimit(.minutes(1))) struct AudioDecoderTests {
    private static func all(_ decoder: AudioDecoder) throws -> [Int16] {
        var samples: [Int16] = []
        while let more = try decoder.read() { samples += more }
        return samples
    }

    @Test func givesWhatIsStoredSampleBySample() throws {
        let wave = try WaveFile(frames: 100_001)
        let decoder = try AudioDecoder(address: wave.path)
        #expect(try Self.all(decoder) == wave.samples)
        #expect(try decoder.read() == nil)
        #expect(abs((decoder.facts.duration ?? 0) - 100_001 / 44_100) < 0.001)
        #expect(decoder.facts.isSeekable)
    }

    @Test(arguments: [0, 1, 4096, 50_000, 99_999]) func seeksToTheFrame(frame: Int) throws {
        let wave = try WaveFile(frames: 100_000)
        let decoder = try AudioDecoder(address: wave.path)
        _ = try decoder.read()
        try decoder.seek(toFrame: Int64(frame))
        #expect(try Self.all(decoder) == Array(wave.samples.dropFirst(frame * 2)))
    }

    /// FLAC's frames have 4,096 samples or more, and their times are found by searching.
    @Test(arguments: [0, 1, 4095, 4097, 123_456, 300_001, 440_000]) func seeksToTheFrameOfFLAC(frame: Int) throws {
        let wave = try WaveFile(frames: 441_000)
        let flac = wave.path + ".flac"
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/ffmpeg")
        process.arguments = ["-v", "error", "-i", wave.path, flac]
        try process.run()
        process.waitUntilExit()
        defer { try? FileManager.default.removeItem(atPath: flac) }
        let decoder = try AudioDecoder(address: flac)
        _ = try decoder.read()
        try decoder.seek(toFrame: Int64(frame))
        #expect(try Self.all(decoder) == Array(wave.samples.dropFirst(frame * 2)))
    }

    @Test func convertsOtherRatesAndChannels() throws {
        let wave = try WaveFile(frames: 48_000, rate: 48_000, channels: 1)
        let samples = try Self.all(try AudioDecoder(address: wave.path))
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
        let wave = try WaveFile(frames: 100_000)
        let stop = DecodingStop()
        let decoder = try AudioDecoder(address: wave.path, stop: stop)
        stop.stop()
        #expect(throws: DecodingError.cancelled) { try Self.all(decoder) }
    }
}
