import Foundation
import SoundServers

/// The samples that `scripts/lab.d/record-samples` read from a pipe: signed 16 bit, little end first, 44,100 Hz, two channels.
struct RecordedSamples: Sendable {
    let path: String

    /// Returns when the first of these samples came, in seconds of the monotonic clock; `nil` if they did not.
    ///
    /// Samples come in pieces, so this is the median over all pieces in which they are.
    ///
    /// - Parameter offset: Bytes that are left out at the beginning.
    func moment(of samples: Data, from offset: Int = 0) throws -> Double? {
        let recorded = try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe)
        return try recorded.dropFirst(offset).range(of: samples).flatMap(moment)
    }

    /// Returns when the click of a film came (see ``LabMedia/film(in:click:)``), in seconds of the monotonic clock; `nil` until the
    /// second after it has come, too.
    ///
    /// - Parameter offset: Bytes that are left out at the beginning.
    func momentOfClick(from offset: Int) throws -> Double? {
        let recorded = try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe)
        let frame = recorded.withUnsafeBytes { bytes in
            (offset / 4..<bytes.count / 4).first {
                bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Int16.self) > 16_384
            }
        }
        guard let frame, recorded.count > frame * 4 + 176_400 else { return nil }
        return try moment(of: frame * 4..<frame * 4 + 176_400)
    }

    /// Returns the gaps that are heard, in seconds, if each piece is played when it came, or after those before it.
    func gaps() throws -> [Double] {
        var gaps: [Double] = []
        var (end, before): (Double?, Int) = (nil, 0)
        for piece in try pieces() {
            if let end, piece.time > end { gaps.append(piece.time - end) }
            end = max(end ?? 0, piece.time) + Double(piece.size - before) / 176_400
            before = piece.size
        }
        return gaps
    }

    private func moment(of range: Range<Int>) throws -> Double? {
        var before = 0
        var moments: [Double] = []
        for piece in try pieces() {
            if before >= range.lowerBound, piece.size <= range.upperBound {
                moments.append(piece.time - Double(before - range.lowerBound) / 176_400)
            }
            before = piece.size
        }
        return moments.isEmpty ? nil : moments.sorted()[moments.count / 2]
    }

    /// When each piece came, in seconds of the monotonic clock, and the size of the file with it.
    private func pieces() throws -> [(time: Double, size: Int)] {
        try String(contentsOfFile: path + ".times", encoding: .utf8).split(separator: "\n").compactMap { line in
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            return numbers.count == 2 ? (Double(numbers[0]) / 1e9, numbers[1]) : nil
        }
    }
}

extension SoundDesktop {
    /// Records what is played to a sink while `body` runs, when it is played.
    func recording(_ sink: String, _ body: () async throws -> Void) async throws -> RecordedSamples {
        let path = folder + "/monitor"
        let recorder = LabHost.tool("record-samples")
        mkfifo(path, 0o600)
        let programs = [
            try begin("python3", recorder, path, path + ".out"),
            try begin(
                "parec", "-d", sink + ".monitor", "--raw", "--format=s16le", "--rate=44100", "--channels=2",
                "--latency-msec=10", path),
        ]
        let result: Result<Void, any Error>
        do {
            try await body()
            result = .success(())
        } catch {
            result = .failure(error)
        }
        for program in programs.reversed() { await program.end() }
        try result.get()
        return RecordedSamples(path: path + ".out")
    }
}
