import Foundation
import Testing

/// A shairport-sync of the lab: the audio it really played and the metadata it received, by its own files.
struct Speaker: Sendable {
    let name: String
    let host: String
    private let folder: String

    static let shairRoom = Speaker(name: "Shair Room", host: "a", folder: "shairport")
    /// "Shair Room" under the name that ``SpeakerTests`` announces for it, as a speaker that requires encrypted sound.
    static let shairSealed = Speaker(name: "Shair Sealed", host: "a", folder: "shairport")
    static let shairLocked = Speaker(name: "Shair Locked", host: "b", folder: "shairport-locked")

    /// A position in its audio and metadata.
    struct Mark: Sendable {
        fileprivate let samples: UInt64
        fileprivate let metadata: UInt64
    }

    private func file(_ name: String) -> String { "\(LabHost.folder)/\(host)/\(folder)/\(name).out" }

    func mark() -> Mark {
        func size(_ name: String) -> UInt64 {
            (try? FileManager.default.attributesOfItem(atPath: file(name))[.size] as? UInt64) ?? 0
        }
        return Mark(samples: size("samples"), metadata: size("metadata"))
    }

    /// All it played since: signed 16 bit, little end first, 44,100 Hz, two channels; silence before and between as well.
    func samples(since mark: Mark) throws -> Data { try read("samples", from: mark.samples) }

    /// Returns whether these samples were played since, completely and without a gap.
    func played(_ samples: Data, since mark: Mark) throws -> Bool {
        try self.samples(since: mark).range(of: samples) != nil
    }

    /// When the first of these samples came out of it, in seconds of the monotonic clock; `nil` if they did not.
    func moment(of samples: Data, since mark: Mark) throws -> Double? {
        try RecordedSamples(path: file("samples")).moment(of: samples, from: Int(mark.samples))
    }

    /// When the click of a film came out of it, in seconds of the monotonic clock; `nil` if it did not.
    func momentOfClick(since mark: Mark) throws -> Double? {
        try RecordedSamples(path: file("samples")).momentOfClick(from: Int(mark.samples))
    }

    /// Returns the metadata received since: the value of each code, in order (`minm` a title, `asar` an artist, `pvol`
    /// the volume in decibels, `prgr` the progress, `PICT` a picture, `pend` the end).
    func told(_ code: String, since mark: Mark) throws -> [Data] {
        let text = String(decoding: try read("metadata", from: mark.metadata), as: UTF8.self)
        let digits = code.utf8.map { String($0, radix: 16) }.joined()
        return text.components(separatedBy: "<item>").filter { $0.contains("<code>\(digits)</code>") }.map { item in
            let parts = item.components(separatedBy: "<data encoding=\"base64\">")
            guard parts.count == 2, let end = parts[1].range(of: "</data>") else { return Data() }
            return Data(base64Encoded: String(parts[1][..<end.lowerBound]), options: .ignoreUnknownCharacters) ?? Data()
        }
    }

    func toldText(_ code: String, since mark: Mark) throws -> [String] {
        try told(code, since: mark).map { String(decoding: $0, as: UTF8.self) }
    }

    private func read(_ name: String, from offset: UInt64) throws -> Data {
        let handle = try FileHandle(forReadingFrom: URL(filePath: file(name)))
        defer { try? handle.close() }
        try handle.seek(toOffset: offset)
        return try handle.readToEnd() ?? Data()
    }

    /// Has it play at full level from the next piece on: below that it adds a dither to the samples, from the beginning of a
    /// piece to its end.
    func setFullVolume(_ home: Household) async throws {
        let begin = mark()
        try await home.succeed("play", name, LabMedia.flac, "--detach")
        try await home.succeed("volume", name, "100")
        try await eventually("full volume") {
            try toldText("pvol", since: begin).last?.hasPrefix("0.00,") == true
        }
        try await home.succeed("stop", name)
        try await eventually("the end of the piece") { try !told("pend", since: begin).isEmpty }
    }
}

/// A sound file of a noise in which no place is like another.
struct NoiseFile: Sendable {
    let path: String
    /// As ``Speaker/samples(since:)`` gives them.
    let samples: Data

    /// - Parameter seconds: Whole ones.
    static func make(_ path: String, seconds: Int) async throws -> NoiseFile {
        let raw = path + ".raw"
        // Repeatable, and none of it silent.
        var state: UInt32 = 1
        var bytes = Data(capacity: seconds * 176_400)
        for _ in 0..<seconds * 88_200 {
            state = state &* 1_664_525 &+ 1_013_904_223
            let sample = Int16(truncatingIfNeeded: Int32(state >> 16 & 0x3FFF) - 0x2000) | 1
            withUnsafeBytes(of: sample.littleEndian) { bytes.append(contentsOf: $0) }
        }
        try bytes.write(to: URL(filePath: raw))
        let result = try await Command.run([
            "/usr/bin/ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "s16le", "-ar", "44100", "-ac", "2",
            "-i", raw, "-metadata", "title=Noise & Silence", "-metadata", "artist=The Generators", path,
        ])
        try #require(result.status == 0, "\(result)")
        return NoiseFile(path: path, samples: bytes)
    }
}
