import Foundation

/// The audio received by a loudspeaker, decoded from SBC, beside the signal of `Scenarios/sound.sh`.
struct ReceivedSound {
    private static let rate = 44_100
    private static let window = 2048

    let left: [Float]
    let right: [Float]

    /// - Parameter text: SBC frames as base64.
    /// - Throws: ``LabFailure`` where ffmpeg cannot decode them.
    init(base64 text: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mdhost-sbc-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        guard let bytes = Data(base64Encoded: text), !bytes.isEmpty else {
            throw LabFailure(description: "nothing was received")
        }
        try bytes.write(to: folder.appending(path: "sound.sbc"))
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/ffmpeg")
        process.arguments = [
            "-loglevel", "error", "-f", "sbc", "-i", folder.appending(path: "sound.sbc").path, "-f", "f32le", "-ac",
            "2",
            "-ar", "\(Self.rate)", folder.appending(path: "sound.raw").path,
        ]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw LabFailure(description: "ffmpeg does not decode what came") }
        let samples = try Data(contentsOf: folder.appending(path: "sound.raw")).withUnsafeBytes {
            Array($0.bindMemory(to: Float.self))
        }
        left = stride(from: 0, to: samples.count - 1, by: 2).map { samples[$0] }
        right = stride(from: 1, to: samples.count, by: 2).map { samples[$0] }
    }

    /// Seconds from the first audible frame to the last one.
    var audibleSeconds: Double {
        guard let first = left.firstIndex(where: Self.isAudible), let last = left.lastIndex(where: Self.isAudible)
        else {
            return 0
        }
        return Double(last - first) / Double(Self.rate)
    }

    private static func isAudible(_ sample: Float) -> Bool { abs(sample) > 0.01 }

    /// The pieces of the signal that were found, and their similarity.
    struct Comparison {
        /// The similarity of every piece, from -1 to 1; on the left and on the right.
        var likeness: [(left: Float, right: Float)] = []
        /// Frames that the pieces came later than those before.
        var gaps: [Int] = []

        /// The median similarity.
        var typical: Float {
            likeness.isEmpty ? -1 : likeness.map { min($0.left, $0.right) }.sorted()[likeness.count / 2]
        }
        /// The share of pieces that were found, 0…1.
        var share: Double {
            Double(likeness.count { min($0.left, $0.right) > 0.95 }) / Double(max(1, likeness.count))
        }
        var gapSeconds: Double { Double(gaps.reduce(0, +)) / Double(ReceivedSound.rate) }
    }

    /// Compares it with the signal, four pieces a second.
    ///
    /// - Parameters:
    ///   - seconds: As long as the signal is.
    ///   - start: The second of the signal with which it begins.
    func compared(seconds: Double, from start: Double = 0) -> Comparison {
        var comparison = Comparison()
        guard var lag = left.firstIndex(where: Self.isAudible) else { return comparison }
        lag -= Int(start * Double(Self.rate))
        var reach = Self.rate / 4
        for piece in stride(from: Int(start * 44_100), to: Int(seconds * 44_100) - Self.window, by: Self.rate / 4) {
            let left = (0..<Self.window).map { Self.left(piece + $0) }
            let right = (0..<Self.window).map { Self.right(piece + $0) }
            var found = best(left, in: self.left, around: piece + lag, reach)
            // The radio, or a busy computer, may have left a gap.
            if found.likeness < 0.8 { found = best(left, in: self.left, around: piece + lag, Self.rate) }
            comparison.likeness.append((found.likeness, Self.likeness(right, self.right, at: found.place)))
            // A piece with a gap in it doesn't predict the position of the next one.
            guard found.likeness > 0.95 else { continue }
            if comparison.likeness.count > 1 { comparison.gaps.append(found.place - piece - lag) }
            lag = found.place - piece
            reach = 8
        }
        return comparison
    }

    /// Roughly first: no part of the signal goes faster than 2 kHz.
    private func best(
        _ piece: [Float], in sound: [Float], around place: Int, _ reach: Int
    ) -> (place: Int, likeness: Float) {
        func search(_ places: some Sequence<Int>, every step: Int) -> (place: Int, likeness: Float) {
            var best: (place: Int, likeness: Float) = (place, -1)
            for candidate in places {
                let likeness = Self.likeness(piece, sound, at: candidate, every: step)
                if likeness > best.likeness { best = (candidate, likeness) }
            }
            return best
        }
        let rough = search(stride(from: place - reach, through: place + reach, by: 4), every: 8)
        return search(rough.place - 4...rough.place + 4, every: 1)
    }

    /// Normalised correlation: how loud it is does not matter.
    private static func likeness(_ piece: [Float], _ sound: [Float], at place: Int, every step: Int = 1) -> Float {
        guard place >= 0, place + piece.count <= sound.count else { return -1 }
        return piece.withUnsafeBufferPointer { piece in
            sound.withUnsafeBufferPointer { sound in
                var (product, own, other): (Float, Float, Float) = (0, 0, 0)
                var index = 0
                while index < piece.count {
                    let (a, b) = (piece[index], sound[place + index])
                    product += a * b
                    own += a * a
                    other += b * b
                    index += step
                }
                return product / max(0.000_001, (own * other).squareRoot())
            }
        }
    }

    private static func left(_ frame: Int) -> Float {
        let time = Double(frame) / Double(rate)
        return Float(sin(2 * .pi * (300 * time + 100 * time * time)))
    }

    private static func right(_ frame: Int) -> Float {
        let time = Double(frame) / Double(rate)
        return Float(sin(2 * .pi * (2000 * time - 150 * time * time)))
    }
}
