import Foundation
import Testing

/// The audio that a receiver really played: signed 16 bit, 44,100 Hz, two channels.
struct Samples: Sendable {
    static let rate = 44_100.0
    /// Left channel, -1…1.
    let left: [Double]

    /// The last `seconds` of a file that is being written; `nil` while there is less.
    init?(endOf path: String, seconds: Double = 0.5) {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        let count = Int(seconds * Self.rate) * 4
        guard let end = try? file.seekToEnd(), end >= count,
            (try? file.seek(toOffset: (end & ~3) - UInt64(count))) != nil,
            let data = try? file.read(upToCount: count), data.count == count
        else { return nil }
        left = stride(from: 0, to: data.count, by: 4).map { index in
            Double(
                Int16(
                    truncatingIfNeeded: Int(data[data.startIndex + index]) | Int(data[data.startIndex + index + 1]) << 8
                ))
                / 32_768
        }
    }

    /// Root of the mean square: 0 is silence.
    var loudness: Double { (left.reduce(0) { $0 + $1 * $1 } / Double(left.count)).squareRoot() }

    /// Returns the share of the sound's power in a sine of this frequency, 0…1 (Goertzel's algorithm).
    func share(of frequency: Double) -> Double {
        let power = left.reduce(0) { $0 + $1 * $1 }
        guard power > 0 else { return 0 }
        let coefficient = 2 * cos(2 * .pi * frequency / Self.rate)
        var last = 0.0
        var before = 0.0
        for sample in left { (last, before) = (sample + coefficient * last - before, last) }
        let magnitude = last * last + before * before - coefficient * last * before
        return 2 * magnitude / (power * Double(left.count))
    }

    /// The audio file that gmediarender writes.
    static var livingRoomFile: String { LabHost.folder + "/a/living-room.pcm" }
}
