import Foundation

/// The audio received by a loudspeaker, decoded from SBC, beside the signal of `Scenarios/sound.sh`.
struct ReceivedSound {
    private static let rate = 44_100
    private static let window = 2048

    let left: [Float]
    let right: [Float]

    /// Creates a sound from frames of the signal. Negative numbers are silent frames.
    init(frames: [Int]) {
        left = frames.map { $0 < 0 ? 0 : Self.left($0) }
        right = frames.map { $0 < 0 ? 0 : Self.right($0) }
    }

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
        let quarter = Self.rate / 4
        var near = quarter
        for piece in stride(from: Int(start * 44_100), to: Int(seconds * 44_100) - Self.window, by: quarter) {
            // A gap inside a piece hides it, but not its neighbours.
            let found = [piece, piece + Self.window, piece + 2 * Self.window].lazy
                .compactMap { self.found($0, expected: $0 + lag, near: near) }.first
            comparison.likeness.append(found.map { ($0.left, $0.right) } ?? (-1, -1))
            guard let found else { continue }
            if comparison.likeness.count > 1 { comparison.gaps.append(found.delay) }
            lag += found.delay
            near = 8
        }
        return comparison
    }

    private func found(_ piece: Int, expected: Int, near: Int) -> Found? {
        let wanted = Piece(from: piece, frames: Self.window)
        // The radio, or a busy computer, may have left a gap.
        let further = expected - Self.rate...max(expected, left.count - Self.window)
        let found = [expected - near...expected + near, further].lazy
            .compactMap { self.best(wanted, in: $0) }.first { min($0.left, $0.right) > 0.95 }
        guard var found else { return nil }
        found.delay = found.place - expected
        return found
    }

    private struct Piece {
        let left: [Float]
        let right: [Float]

        init(from start: Int, frames: Int) {
            left = (start..<start + frames).map(ReceivedSound.left)
            right = (start..<start + frames).map(ReceivedSound.right)
        }
    }

    private struct Found {
        var place: Int
        /// Frames that it came later than expected.
        var delay = 0
        var left: Float
        var right: Float
    }

    /// Returns the place most like a piece; `nil` if none resembles it.
    ///
    /// A sweep resembles itself a period later, so both channels have a say, and only single frames decide.
    private func best(_ piece: Piece, in places: ClosedRange<Int>) -> Found? {
        let rough = stride(from: places.lowerBound, through: places.upperBound, by: 2).map {
            likeness(of: piece, at: $0, every: 8)
        }
        let most = rough.map { $0.left + $0.right }.max() ?? -2
        guard most > 1.5 else { return nil }
        return rough.filter { $0.left + $0.right > most - 0.2 }
            .flatMap { ($0.place - 1...$0.place + 1).map { likeness(of: piece, at: $0, every: 1) } }
            .max { $0.left + $0.right < $1.left + $1.right }
    }

    private func likeness(of piece: Piece, at place: Int, every step: Int) -> Found {
        Found(
            place: place, left: Self.likeness(piece.left, left, at: place, every: step),
            right: Self.likeness(piece.right, right, at: place, every: step))
    }

    /// Normalised correlation: how loud it is does not matter.
    private static func likeness(_ piece: [Float], _ sound: [Float], at place: Int, every step: Int) -> Float {
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
